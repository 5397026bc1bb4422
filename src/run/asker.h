#pragma once
// Asks models: each question on a thread of its own, through the ledger, until the answer can be
// used or its turns are spent. Answers come back as events on the driver's thread. The questions in
// flight end with the object.
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "run/event_queue.h"
#include "run/ledger.h"

namespace hone::run {

struct Question {
  core::Role role = core::Role::writer;
  std::string asker;     // "writer 2": for messages and the status
  llm::Request request;  // of the first turn
  int turns = 1;
  std::function<std::string(int turn)> step;  // what each turn is called
  // What is wrong with an answer, as a sentence for the model; "": it can be used. On the
  // question's own thread.
  std::function<std::string(const llm::Reply&)> complaint = [](const llm::Reply&) {
    return std::string();
  };
};

struct Answer {
  base::Result<llm::Reply, llm::Fault> reply;
  core::Cost cost;  // of all turns
  std::vector<std::string>
      complaints;  // about each answer that was no use; as many as turns: none was of use
};

class Asker {
 public:
  // What a question is doing: "is asked", "waits 20 s: ..."; "": it has ended. From any thread.
  using Doing = std::function<void(const std::string& asker, const std::string& what)>;

  Asker(Ledger& ledger, const RoleModels& models, EventQueue& events, Doing doing, Doing note);
  ~Asker();
  Asker(const Asker&) = delete;
  Asker& operator=(const Asker&) = delete;

  void ask(Question question, std::function<void(Answer)> done);
  int in_flight() const { return in_flight_; }  // the driver's thread only

 private:
  Answer answer_to(const Question& question);

  Ledger& ledger_;
  const RoleModels& models_;
  EventQueue& events_;
  Doing doing_, note_;
  int in_flight_ = 0;
  std::vector<std::thread> threads_;
};

}  // namespace hone::run
