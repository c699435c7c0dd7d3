import type { Sources } from '../source.ts'
import { evm } from './evm.ts'
import { graphql } from './graphql.ts'
import { http } from './http.ts'
import { mcp } from './mcp.ts'
import { view } from './view.ts'

/** The executor of each kind of call. */
export const sources: Sources = { http, graphql, evm, mcp, view }
