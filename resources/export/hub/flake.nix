{
  description = "@function@, for Hugging Face's kernel-builder";
  inputs.kernel-builder.url = "github:huggingface/kernel-builder";
  outputs = { self, kernel-builder }:
    kernel-builder.lib.genFlakeOutputs {
      inherit self;
      path = ./.;
    };
}
