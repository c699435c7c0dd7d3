import { problem } from '../../problems.ts'
import type { CheckedNode, CheckedValue } from '../model/checked.ts'
import type { Context } from '../model/context.ts'

/**
 * Reports a root that calls nothing, not even behind its labels: text, a list or a number is not a program. The rows of a
 * teaching table show expressions alone and are exempt.
 */
export function refusesIdleRoot(context: Context, node: CheckedNode): boolean {
  if (context.teaching || callsInNode(node)) return false
  context.report(problem('nothing_to_do', {}, { span: node.span }))
  return true
}

/** Does the node, or one that feeds it, call an API or read a kept page? */
function callsInNode(node: CheckedNode): boolean {
  switch (node.kind) {
    case 'query':
    case 'get':
    case 'relation':
    case 'reference':
    case 'reverse':
    case 'call':
    case 'page':
    case 'identity':
      return true
    case 'cursor':
      return false
    case 'label':
      return callsInNode(node.node)
    case 'each':
      return callsInNode(node.source) || callsInNode(node.body)
    case 'data':
      return callsInValue(node.value)
    case 'project':
    case 'filter':
    case 'limit':
    case 'page_size':
    case 'singleton':
    case 'sort':
    case 'aggregate':
    case 'render':
      return callsInNode(node.source)
  }
}

function callsInValue(value: CheckedValue): boolean {
  switch (value.kind) {
    case 'node':
      return callsInNode(value.node)
    case 'text':
      return value.parts.some((part) => typeof part !== 'string' && callsInValue(part))
    case 'list':
      return value.items.some(callsInValue)
    case 'record':
      return value.entries.some(([, held]) => callsInValue(held))
    case 'integer':
      return callsInValue(value.value)
    case 'literal':
    case 'cursor':
    case 'hole':
      return false
  }
}
