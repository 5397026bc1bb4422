// Files of records and an evaluator's answers: whatever stands in them, reading ends; what is
// accepted is written back byte for byte; and of a good file no byte can be changed unnoticed.
#include <cstdlib>
#include <string>

#include "exec/external_requests.h"
#include "exec/records.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace hone::exec;
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (const auto records = parse_records(text, "bundle", 1)) {
    if (records->length > size || (records->length > 0 && records->cut != (records->length < size)))
      std::abort();
    const std::string again = write_records(records->all, "bundle", 1);
    if (records->length > 0 && text.substr(0, records->length) != again) std::abort();
  }
  std::string good = write_records({{"job", text}, {"end", ""}}, "bundle", 1);
  const auto whole = parse_records(good, "bundle", 1);
  if (!whole || whole->cut || whole->all.size() != 2 || whole->all[0].body != text) std::abort();
  if (size > 1) {
    const std::size_t at = (data[0] * 256u + data[1]) % good.size();
    good[at] = static_cast<char>(good[at] ^ (1 << (data[0] % 8)));
    if (parse_records(good, "bundle", 1)) std::abort();
  }
  (void)parse_description(text);
  (void)parse_id(text);
  (void)parse_state(text);
  if (const auto answer = parse_result(text, {"a", "b"}))
    if (answer->failure.empty() && answer->cases.size() != 2) std::abort();
  (void)external_job_from(text);
  (void)external_answer_from(text);
  return 0;
}
