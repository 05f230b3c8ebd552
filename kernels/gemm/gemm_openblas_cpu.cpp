// SPDX-License-Identifier: Apache-2.0
// The matrix products of OpenBLAS, which is opened when it is needed: its threads start when it is loaded, and most
// commands need none.
#include <cstdlib>
#include <string>

#include "harness/backends/cpu/cpu_device.h"
#include "harness/core/kernel.h"
#include "harness/dynlib/library.h"
#include "kernels/gemm/gemm.h"

namespace warpmark::cpu {
namespace {

// CBLAS with 32-bit integers (netlib.org/blas/blast-forum/cinterface.pdf), as libopenblas.so.0 has it.
constexpr int row_major = 101;
constexpr int as_it_is = 111;

template <class T>
using GemmFunction = void(int order, int transpose_a, int transpose_b, int m, int n, int k, T alpha, const T* a,
                          int lda, const T* b, int ldb, T beta, T* c, int ldc);

/// The functions that we call. Opened once: a second copy would start threads of its own.
class OpenBlas {
 public:
  static const OpenBlas& opened(const ThreadPool& pool) {
    static const OpenBlas blas(pool);
    return blas;
  }

  template <class T>
  void multiply(const ops::Gemm& op) const {
    const auto m = static_cast<int>(op.m);
    const auto n = static_cast<int>(op.n);
    const auto k = static_cast<int>(op.k);
    GemmFunction<T>* const gemm = function<T>();
    for (std::size_t i = 0; i < op.batch; ++i)
      gemm(row_major, as_it_is, as_it_is, m, n, k, T{1}, static_cast<const T*>(op.a) + i * op.m * op.k, k,
           static_cast<const T*>(op.b) + i * op.k * op.n, n, T{0}, static_cast<T*>(op.c) + i * op.m * op.n, n);
  }

  [[nodiscard]] nlohmann::json about() const {
    return {{"library", std::string(config_())},
            {"path", library_.path()},
            {"implementation", std::string(core_())},
            {"threads", threads_()}};
  }

 private:
  // Its threads may run wherever the thread that loads it may.
  explicit OpenBlas(const ThreadPool& pool) : unpinned_(pool) {
    if (std::getenv("OPENBLAS_NUM_THREADS") == nullptr && std::getenv("OMP_NUM_THREADS") == nullptr)
      library_.function<void(int)>("openblas_set_num_threads")(static_cast<int>(pool.size()));
  }

  template <class T>
  [[nodiscard]] GemmFunction<T>* function() const {
    if constexpr (sizeof(T) == sizeof(double)) {
      return dgemm_;
    } else {
      return sgemm_;
    }
  }

  Unpinned unpinned_;
  Library library_ = Library::open({"libopenblas.so.0"}, "install OpenBLAS (Debian: libopenblas0-pthread)");
  GemmFunction<double>* dgemm_ = library_.function<GemmFunction<double>>("cblas_dgemm");
  GemmFunction<float>* sgemm_ = library_.function<GemmFunction<float>>("cblas_sgemm");
  const char* (*config_)() = library_.function<const char*()>("openblas_get_config");
  const char* (*core_)() = library_.function<const char*()>("openblas_get_corename");
  int (*threads_)() = library_.function<int()>("openblas_get_num_threads");
};

template <class T>
Bound bind(Stream& stream, const ops::Gemm& op) {
  const OpenBlas& blas = OpenBlas::opened(pool_of(stream));
  return {.launch = [op, &blas](Stream&) { blas.multiply<T>(op); }, .about = blas.about()};
}

const Implements<ops::Gemm> f64{{.id = {"cpu", "openblas", DType::f64}, .bind = bind<double>}};
const Implements<ops::Gemm> f32{{.id = {"cpu", "openblas", DType::f32}, .bind = bind<float>}};

}  // namespace
}  // namespace warpmark::cpu
