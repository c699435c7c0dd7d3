import { secretReader } from '../../adapters/wire/secrets.ts'
import type { SharedTexts } from '../../access/shared-texts.ts'
import { noPolicy } from '../../adapters/auth/policy-file.ts'
import { policyOf } from '../../adapters/auth/setup.ts'
import { fileCatalogs } from '../../adapters/catalogs/files.ts'
import { ok } from '../../base/diagnostic.ts'
import type { Config } from '../../config/read.ts'
import { unusedNames } from '../../config/unused-names.ts'
import { authFor } from '../auth.ts'
import { catalogInputs } from '../catalog-paths.ts'
import { listServers } from '../catalogs/list-servers.ts'
import type { Examined } from '../../surfaces/cli/dependencies.ts'
import { examine } from './doctor.ts'
import { configuredHosts } from '../hosts/configured.ts'
import { placesOf } from '../hosts/places.ts'
import { protocolRoundTrip } from './protocol-round-trip.ts'
import { openStoreToLook, sharedBy, storeFile } from '../stores.ts'
import { unsetSecrets } from '../unset-secrets.ts'
import { systemClock as clock } from '../system.ts'

/** Runs `work` with the parts that nodes share, if the store has them and can be reached. */
async function withTexts<T>(
  config: Config,
  work: (texts: SharedTexts | undefined) => Promise<T>,
): Promise<T> {
  const opened = sharedBy(config.store) === 'nodes' ? await openStoreToLook(config) : undefined
  if (!opened?.ok) return work(undefined)
  try {
    return await work(opened.value.texts)
  } finally {
    await opened.value.store.shutDown()
  }
}

/** Checks everything that a start with this configuration needs. */
export async function examineInstallation(config: Config): Promise<readonly Examined[]> {
  return examine(config, {
    now: () => clock.now(),
    protocols: () => protocolRoundTrip(config),
    hosts: () => configuredHosts(placesOf()),
    layout: async () => {
      const file = storeFile(config)
      return file?.layout(file.path)
    },
    openStore: async () => {
      const opened = await openStoreToLook(config)
      return opened.ok ? ok(opened.value.store) : opened
    },
    auth: () =>
      withTexts(config, async (texts) => {
        const auth = await authFor(config, secretReader(process.env), texts)
        return auth.ok ? [] : auth.problems
      }),
    servers: async () => {
      const listed = await listServers(config.mcpServers, config)
      return listed.map((one, at) => ({
        name: config.mcpServers[at]?.name ?? '',
        listed: one.ok ? ok({ methods: one.value.catalog?.capabilities.length ?? 0 }) : one,
      }))
    },
    catalogs: async () => {
      const paths = await catalogInputs(config)
      const { readings, problems, source } = await fileCatalogs(paths, { backends: config.backends })
      const slips = await withTexts(config, async (texts) => {
        const policy = await policyOf(config.access.policy, { clock, texts })
        return unusedNames(config, policy.ok ? policy.value : noPolicy, source.current())
      })
      const read = readings.map(({ path, errors, warnings }) => ({
        path,
        errors,
        warnings: warnings.length,
      }))
      const wrong = problems.length > 0 ? [{ path: 'backends', errors: problems, warnings: 0 }] : []
      const served = [...source.current().byId.values()].map(({ catalog }) => catalog)
      const unset = await unsetSecrets(served, secretReader(process.env))
      return { read: [...wrong, ...read], slips: [...slips, ...unset] }
    },
  })
}
