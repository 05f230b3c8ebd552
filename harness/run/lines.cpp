// SPDX-License-Identifier: Apache-2.0
#include "harness/run/lines.h"

#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "harness/core/error.h"
#include "harness/run/process.h"

namespace warpmark {
namespace {

/// One byte, or 0 at the end.
ssize_t read_byte(char& byte) {
  for (;;) {
    const ssize_t n = read(STDIN_FILENO, &byte, 1);
    if (n >= 0 || errno != EINTR) return n > 0 ? n : 0;
  }
}

}  // namespace

void send_line(const nlohmann::json& line) {
  const std::string text = line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t n = write(lines_descriptor, text.data() + sent, text.size() - sent);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) _exit(1);
    sent += static_cast<std::size_t>(n);
  }
}

std::string read_order() {
  // A child that is stopped does not see its pipe close.
  (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::string order;
  if (read_line(order)) return order;
  throw Error("no order came on standard input; `warpmark run` starts this role; people leave --order out");
}

bool read_line(std::string& line) {
  line.clear();
  for (char byte = 0; read_byte(byte) == 1; line.push_back(byte))
    if (byte == '\n') return true;
  return false;
}

Acknowledgements::Acknowledgements()
    : watcher_([this] {
        for (char byte = 0; read_byte(byte) == 1;)
          if (byte == '\n') received_.release();
        _exit(1);
      }) {}

Acknowledgements::~Acknowledgements() { watcher_.detach(); }

}  // namespace warpmark
