import { problemsOf } from '../../base/diagnostic.ts'

export const embedderProblem = problemsOf({
  embedder_missing: {
    message: ({ packages }: { packages: readonly string[] }) =>
      `\`discovery_embedder: minilm\` needs packages that are not installed: ${packages.join(', ')}.`,
    next: ({ packages }: { packages: readonly string[] }) =>
      `Run \`npm install ${packages.join(' ')}\` where Plasmid is installed, or choose \`--discovery-embedder static\`.`,
  },
})
