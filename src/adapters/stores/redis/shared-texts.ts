import type { SharedTexts } from '../../../access/shared-texts.ts'
import type { Keys } from './keys.ts'
import type { Link } from './link.ts'
import { texts } from './reply.ts'

/** Texts in one hash of the server: there are few, and they do not expire. */
export function redisTexts(link: Link, keys: Keys): SharedTexts {
  const hash = keys.texts
  return {
    where: link.server,
    read: async (name) => {
      const text = await link.send(['HGET', hash, name])
      return typeof text === 'string' ? text : undefined
    },
    write: async (name, text) => void (await link.send(['HSET', hash, name, text])),
    remove: async (name) => Number(await link.send(['HDEL', hash, name])) > 0,
    names: async () => texts(await link.send(['HKEYS', hash])).flatMap((name) => name ?? []),
  }
}
