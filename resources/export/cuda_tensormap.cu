
using HoneEncode = CUresult (*)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*, const cuuint64_t*, const cuuint32_t*, const cuuint32_t*,
                                CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

// The driver's function, asked for at run time: nothing has to be linked with libcuda.
HoneEncode hone_encoder() {
  static const HoneEncode encoder = [] {
    void* found = nullptr;
    cudaDriverEntryPointQueryResult result = cudaDriverEntryPointSymbolNotFound;
#if CUDART_VERSION >= 12050
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &result);
#else
    cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &found, cudaEnableDefault, &result);
#endif
    return result == cudaDriverEntryPointSuccess ? reinterpret_cast<HoneEncode>(found) : nullptr;
  }();
  return encoder;
}

// Shapes as the plan gives them, row-major; the driver wants the innermost dimension first.
cudaError_t hone_encode(CUtensorMap* map, CUtensorMapDataType type, int64_t element_bytes, const void* address, std::initializer_list<int64_t> shape,
                        std::initializer_list<int64_t> box, std::initializer_list<int64_t> element_strides, CUtensorMapInterleave interleave,
                        CUtensorMapSwizzle swizzle, CUtensorMapL2promotion l2, CUtensorMapFloatOOBfill fill) {
  const size_t rank = shape.size();
  cuuint64_t sizes[5], strides[5];
  cuuint32_t boxes[5], steps[5];
  cuuint64_t stride = cuuint64_t(element_bytes);
  for (size_t i = 0; i < rank; ++i) {
    sizes[i] = cuuint64_t(shape.begin()[rank - 1 - i]);
    boxes[i] = cuuint32_t(box.begin()[rank - 1 - i]);
    steps[i] = cuuint32_t(element_strides.begin()[rank - 1 - i]);
    strides[i] = stride *= sizes[i];
  }
  if (hone_encoder() == nullptr) return cudaErrorNotSupported;
  const CUresult result = hone_encoder()(map, type, cuuint32_t(rank), const_cast<void*>(address), sizes, strides, boxes, steps, interleave, swizzle, l2, fill);
  return result == CUDA_SUCCESS ? cudaSuccess : cudaErrorInvalidValue;
}
