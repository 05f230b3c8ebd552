// SPDX-License-Identifier: Apache-2.0
// Processes that nobody can end, as those that a driver holds in the kernel.
#pragma once

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <vector>

#include "harness/core/error.h"
#include "harness/run/process.h"

namespace warpmark {

/// Starts `sleep` in the place of this program. Nothing that it starts ends by `kill`, as if a driver held it.
class HeldProcesses : public Processes {
 public:
  ~HeldProcesses() override {
    for (const pid_t process : started_) {
      (void)::kill(process, SIGKILL);
      (void)waitpid(process, nullptr, 0);
    }
  }
  pid_t start(const std::vector<std::string>& /*arguments*/, int input, int lines) override {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, lines, lines_descriptor);
    std::string name = "sleep";
    std::string seconds = "600";
    std::vector<char*> words{name.data(), seconds.data(), nullptr};
    pid_t process = -1;
    if (posix_spawnp(&process, "sleep", &actions, nullptr, words.data(), environ) != 0) throw Error("no sleep");
    posix_spawn_file_actions_destroy(&actions);
    started_.push_back(process);
    return process;
  }
  void kill(pid_t /*leader*/) override { ++kills_; }
  bool has_ended(pid_t /*process*/) override { return false; }
  Ending reap(pid_t /*process*/) override { throw Error("nobody waits for what has not ended"); }

  [[nodiscard]] std::chrono::milliseconds longest_dying() const override { return std::chrono::milliseconds(200); }

  [[nodiscard]] const std::vector<pid_t>& started() const { return started_; }
  [[nodiscard]] int kills() const { return kills_; }

 private:
  std::vector<pid_t> started_{};
  int kills_ = 0;
};

}  // namespace warpmark
