import {parentPort} from 'node:worker_threads'
import type {RuleTexts, RuleVariables} from '../../inspect/policy/rule-engine.js'
import type {JsonObject} from '../../yaml/json-value.js'
import {type CelValue, celValue} from './cel-value.js'
import {type EvaluableRule, ruleCompiler} from './compile-rule.js'

/** What the worker is asked: to compile rules, to take variables, or to evaluate one rule over them. */
export type WorkerRequest =
  | {readonly rules: readonly RuleTexts[]; readonly of: RuleVariables}
  | {readonly variables: string}
  | {readonly evaluate: number}

let rules: readonly EvaluableRule[] = []
let variables: Readonly<Record<string, CelValue>> = {}

parentPort?.on('message', (request: WorkerRequest) => {
  parentPort?.postMessage(answer(request))
})

function answer(request: WorkerRequest): unknown {
  if ('rules' in request) {
    rules = request.rules.map(ruleCompiler(request.of))
    return rules.map(({compiled}) => compiled)
  }
  if ('evaluate' in request) return rules[request.evaluate]?.evaluate(variables)
  variables = celValue(JSON.parse(request.variables) as JsonObject) as Readonly<Record<string, CelValue>>
  return undefined
}
