import type { Auth, SecretReference } from './model.ts'

/** The usual form of an environment variable's name: words in capitals. */
const NAME = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/
/** Letters and digits mixed in so long a word: a key rather than a name. */
const KEY = /(?=[A-Z0-9]*\d)(?=[A-Z0-9]*[A-Z])[A-Z0-9]{16,}/

/** The reference as a message shows it: what may be a secret that was pasted in place of its name is never repeated. */
export function shownReference(reference: SecretReference): string {
  const [scheme = '', ...rest] = reference.split(':')
  const name = rest.join(':')
  if (scheme === 'file' || (scheme === 'env' && NAME.test(name) && !KEY.test(name))) return `\`${reference}\``
  return `${scheme === 'env' ? '`env:`' : 'a reference'} with a value that looks like a secret itself and is not shown`
}

/** The secrets that calls of a catalog need: it can do without those of an optional scheme. */
export function secretsOf(auth: Auth): readonly SecretReference[] {
  switch (auth.scheme) {
    case 'none':
      return []
    case 'api_key':
      return [auth.secret]
    case 'bearer':
      return auth.optional ? [] : [auth.secret]
    case 'client_credentials':
      return [auth.clientId, auth.clientSecret]
  }
}
