import { AwsV4Signer } from 'aws4fetch'
import type { Auth } from '../../../catalog/auth/auth.ts'
import type { OutgoingRequest, Proof } from '../request.ts'

/** The secret parts of the scheme, read. */
interface AwsKeys {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

/** Signs each request with AWS Signature Version 4: its method, address, headers and body, at the time of signing. */
export function awsSignature(
  { region, service }: Extract<Auth, { readonly scheme: 'aws_sigv4' }>,
  keys: AwsKeys,
): Proof {
  const { sessionToken, secretAccessKey } = keys
  const secrets = [secretAccessKey, ...(sessionToken === undefined ? [] : [sessionToken])]
  const sign = async (request: OutgoingRequest): Promise<OutgoingRequest> => {
    const { method, origin, path, body } = request
    const headers = pairsOf(request.headers)
    const signer = new AwsV4Signer({
      ...keys,
      region,
      service,
      method,
      url: `${origin}${path}`,
      headers: headers.filter(([name]) => isSigned(name)),
      allHeaders: true,
      ...(body !== null && { body }),
    })
    const signed = await signer.sign()
    const others = headers.filter(([name]) => !isSigned(name))
    return {
      ...request,
      path: `${signed.url.pathname}${signed.url.search}`,
      headers: [...others, ...signed.headers].flat(),
    }
  }
  return { headers: [], query: [], secrets, sign }
}

/** A proxy on the way may change other headers, such as the accepted encodings. */
function isSigned(name: string): boolean {
  return /^(?:content-type|x-amz-.*)$/i.test(name)
}

function pairsOf(flat: readonly string[]): [string, string][] {
  return flat.flatMap((name, at): [string, string][] => (at % 2 === 0 ? [[name, flat[at + 1] ?? '']] : []))
}
