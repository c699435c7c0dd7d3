import { z } from '@hono/zod-openapi'
import { discoverInput, GRAMMAR, type Gateway } from '../../../engine/index.ts'
import { jsonBody } from '../body.ts'
import { answered, refused, type Route } from '../route.ts'
import { jsonAnswer } from '../answer.ts'
import { tagged, taggedJson } from '../tagged.ts'
import { discoverBody, registryBody, toDiscoverBody, toRegistryBody } from '../../bodies/bodies.ts'

/** What there is to use, and how to use it. */
export function catalogRoutes(gateway: Gateway): readonly Route[] {
  return [
    {
      method: 'get',
      path: '/v1/registry',
      name: 'listCatalogs',
      tag: 'Catalogs',
      summary: 'The catalogs that the caller may see',
      headers: ['etag'],
      answers: { 200: { 'application/json': registryBody } },
      handle: async (c) =>
        answered(await gateway.registry(c.get('caller'), { announced: c.get('announced') }), ({ facts }) =>
          taggedJson(c, toRegistryBody(facts)),
        ),
    },
    {
      method: 'post',
      path: '/v1/discover',
      name: 'discover',
      tag: 'Catalogs',
      summary: 'Find the entities that fit a goal (discover_capabilities)',
      body: { 'application/json': discoverInput.meta({ id: 'DiscoverInput' }) },
      answers: { 200: { 'application/json': discoverBody } },
      handle: async (c) => {
        const body = await jsonBody(c.req)
        if (!body.ok) return refused(body)
        return answered(
          await gateway.discover(c.get('caller'), body.value, { announced: c.get('announced') }),
          (reply) => jsonAnswer(toDiscoverBody(reply)),
        )
      },
    },
    {
      method: 'get',
      path: '/v1/grammar',
      name: 'getGrammar',
      tag: 'Catalogs',
      summary: 'The program language on one page, as in the description of `plasm`',
      isPublic: true,
      headers: ['etag'],
      answers: { 200: { 'text/plain': z.string() } },
      handle: (c) => tagged(c, GRAMMAR, 'text/plain; charset=utf-8'),
    },
  ]
}
