// The runner's test program, which is also the worker that its tests start.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>

#include "base/json.h"
#include "runner/sandbox.h"
#include "runner/test_worker.h"
#include "runner/wire.h"

namespace hone::runner {

void describe(base::Fields& f, ScriptedAnswer& answer) {
  f("says", answer.says)("files", answer.files)("does", answer.does);
  f("stops", answer.stops);
}

std::string script_text(const Script& script) { return base::json_line(script); }

namespace {

std::optional<Script> script_from(const std::string& text) {
  if (!base::is_json_object(text)) return std::nullopt;
  auto script = base::from_json<Script>(text);
  return script ? std::optional(*std::move(script)) : std::nullopt;
}

// The first part of an order that is a script: where the device's id, the compiler's target, an
// argument or a source usually stands.
std::optional<Script> script_in(const Packet& order) {
  constexpr std::uint64_t largest = 1 << 20;
  std::vector<std::string> texts = {base::text_field(order.text, "device")};
  base::read_json(order.text, [&](base::Fields& f) {
    base::RawJson request{""};
    std::vector<std::string> words;
    f.optional("request", request).lenient("words", words);
    if (!request.text.empty()) texts.push_back(base::text_field(request.text, "device"));
    texts.insert(texts.end(), words.begin(), words.end());
  });
  for (const auto& file : order.fds) texts.push_back(read_memory_file(file, largest));
  for (const auto& text : texts)
    if (auto script = script_from(text)) return script;
  return std::nullopt;
}

void act(const std::string& what) {
  if (what == "crash") ::raise(SIGSEGV);
  if (what == "end") ::_exit(7);
  if (what.starts_with("print ")) {
    std::fputs(what.c_str() + 6, stdout);
    std::fflush(stdout);
  }
}

void play(int socket, const ScriptedAnswer& answer) {
  act(answer.does);
  for (std::size_t i = 0; i < answer.says.size(); ++i) {
    std::vector<base::Fd> files;
    std::vector<int> numbers;
    if (i + 1 == answer.says.size())
      for (const auto& text : answer.files) files.push_back(memory_file(text, "scripted"));
    for (const auto& file : files) numbers.push_back(file.get());
    send_packet(socket, answer.says[i], numbers);
  }
  if (answer.stops) ::raise(SIGSTOP);
}

}  // namespace

int serve_tests(int socket) {
  Script script;
  std::map<std::string, std::size_t> given;
  while (const auto packet = receive_packet(socket)) {
    if (!base::is_json_object(packet->text)) {
      send_packet(socket, probe_here(packet->text));
      continue;
    }
    if (script.empty())
      if (auto found = script_in(*packet)) script = *std::move(found);
    const std::string op = base::text_field(packet->text, "op");
    const auto& answers = script[op];
    if (answers.empty())
      play(socket, {});
    else
      play(socket, answers[std::min(given[op]++, answers.size() - 1)]);
  }
  return 0;
}

}  // namespace hone::runner

int main(int argc, char** argv) {
  // The only word that it is ever started with is a worker's role; gtest's options begin with -.
  if (argc == 2 && argv[1][0] != '-') return hone::runner::enter_sandbox(hone::runner::serve_tests);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
