import {present} from '../../present.js'
import {listAll, quoted} from '../../text.js'
import {
  asObject,
  asObjects,
  asText,
  asTexts,
  type FieldPath,
  type JsonObject,
  type JsonValue,
} from '../../yaml/json-value.js'
import type {DeclarationCheck} from '../declaration-check.js'
import {type LineOf, placedExpression, type PolicySource} from './expression-place.js'
import {
  CRD_CHANGES,
  type DeclaredExpression,
  type DeclaredRejects,
  type DeclaredRule,
  WIDE_PERMISSIONS,
} from './policy.js'

/** The types of `reject` and `rules` in a policy. */
export const RULE_TYPES = {
  Reject: {
    widePermissions: 'list:string*',
    imagesWithoutDigest: 'boolean*',
    privilegedDeployments: 'boolean*',
    crdChanges: 'list:string*',
    acceptedImpacts: 'boolean*',
  },
  Rule: {name: 'string*', expression: 'string*', message: 'string*', messageExpression: 'string*'},
}

/** Stands for all values of a list. */
const ALL = 'all'

/** Reads what a policy rejects by its own fields, and reports values that are none. */
export function declaredRejects(
  value: JsonValue | undefined,
  check: DeclarationCheck,
  lineOf: LineOf,
): DeclaredRejects {
  const fields = asObject(value)
  const list = <Word extends string>(field: string, words: readonly Word[]) => {
    const line = lineOf('reject', field)
    const selected = selectedWords(['reject', field], fields[field], words, check)
    return selected.length === 0 ? undefined : {selected, line}
  }
  const flag = (field: string) => (fields[field] === true ? {line: lineOf('reject', field)} : undefined)
  const wide = list('widePermissions', WIDE_PERMISSIONS)
  const crds = list('crdChanges', CRD_CHANGES)
  return present({
    widePermissions: wide && {reasons: wide.selected, line: wide.line},
    imagesWithoutDigest: flag('imagesWithoutDigest'),
    privilegedDeployments: flag('privilegedDeployments'),
    acceptedImpacts: flag('acceptedImpacts'),
    crdChanges: crds && {changes: crds.selected, line: crds.line},
  })
}

function selectedWords<Word extends string>(
  path: FieldPath,
  value: JsonValue | undefined,
  words: readonly Word[],
  check: DeclarationCheck,
): readonly Word[] {
  const texts = asTexts(value)
  texts.forEach((text, index) => {
    const isWord = text === ALL || words.some(word => word === text)
    check.is([...path, index], isWord, `${quoted(text)} is not one of ${listAll([...words, ALL], 'or')}`)
  })
  return texts.includes(ALL) ? words : words.filter(word => texts.includes(word))
}

/** More rules than this are a mistake: each of them is evaluated for each package. */
const MAX_RULES = 100
/** In characters. The limit of Kubernetes is a cost, which no text of this size has. */
const MAX_EXPRESSION = 10_000
const NAME = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** Reads the rules of a policy, and reports those that are incomplete; expressions are compiled later. */
export function declaredRules(
  value: JsonValue | undefined,
  check: DeclarationCheck,
  source: PolicySource,
): readonly DeclaredRule[] {
  const rules = asObjects(value)
  check.is(['rules'], rules.length <= MAX_RULES, `has more than ${MAX_RULES} rules`)
  const names = rules.map(({name}) => asText(name))
  return rules.slice(0, MAX_RULES).map((rule, index) => {
    const path = ['rules', index]
    checkRule(rule, path, check)
    const first = names.indexOf(asText(rule['name']))
    check.is([...path, 'name'], first === index, `is the same as rules[${first}].name`)
    return declaredRule(rule, path, source)
  })
}

function checkRule(rule: JsonObject, path: FieldPath, check: DeclarationCheck): void {
  const name = asText(rule['name'])
  check.is(
    [...path, 'name'],
    NAME.test(name),
    `${quoted(name)} is not a name: lowercase letters, digits and -`,
  )
  check.is([...path, 'expression'], asText(rule['expression']).trim() !== '', 'must be an expression in CEL')
  for (const field of ['expression', 'messageExpression']) {
    const length = asText(rule[field]).length
    check.is([...path, field], length <= MAX_EXPRESSION, `is longer than ${MAX_EXPRESSION} characters`)
  }
}

function declaredRule(rule: JsonObject, path: FieldPath, source: PolicySource): DeclaredRule {
  const expression = (field: string): DeclaredExpression | undefined => {
    const text = asText(rule[field])
    return text === '' ? undefined : placedExpression(text, [...path, field], source)
  }
  return {
    name: asText(rule['name']),
    line: source.lineOf(...path),
    expression: expression('expression') ?? {text: '', line: source.lineOf(...path)},
    ...present({
      message: asText(rule['message']) === '' ? undefined : asText(rule['message']),
      messageExpression: expression('messageExpression'),
    }),
  }
}
