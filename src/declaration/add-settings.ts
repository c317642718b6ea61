import {CrossplaneError} from '../errors.js'
import {asObject, type JsonObject, type JsonValue} from '../yaml/json-value.js'
import {readYaml} from '../yaml/read-yaml.js'
import {writeJson, writeYaml} from '../yaml/write-yaml.js'
import type {Mirrors} from '../reference/mirrors.js'
import type {Declaration} from './declaration.js'
import {type DeclarationFile, isDeclaration, textOf} from './edit-declaration.js'
import type {LayoutSettings} from './layout-settings.js'
import {linesOf} from './lines-of.js'
import {readDeclaration} from './read-declaration.js'

/** The layout of the rendered tree. A part that is absent is the one that the declaration has. */
interface DeclaredLayout {
  readonly layout?: LayoutSettings['layout']
  /** For `argocd`, which requires it. */
  readonly repoURL?: string
}

/** The settings of a declaration that flags can have, too. */
export type DeclaredSettings = {readonly tree?: DeclaredLayout; readonly registries?: Mirrors} & Pick<
  Declaration,
  | 'render'
  | 'assume'
  | 'owners'
  | 'xpkg'
  | 'crossplaneVersion'
  | 'coreVersion'
  | 'defaultSource'
  | 'systemNamespace'
  | 'dependencyNamespace'
>

/** A command that can replace settings of `xpkg`, and whether its flag for that is set. */
interface Replacing {
  readonly replaces: boolean
}

/**
 * Returns the text of a declaration with further settings; every other character stays, and those that it has stay as they
 * are. Throws `usage` for one that it has with another value, and `input-invalid` where a setting cannot be added as a
 * line of its own.
 * @param replacing - settings of `xpkg` get the values of their flags if it has that flag.
 */
export function withSettings(
  file: DeclarationFile,
  settings: DeclaredSettings,
  replacing?: Replacing,
): string {
  const fields = fieldsOf(settings)
  const replaced = replacing?.replaces === true ? withReplaced(file, fields) : file.bytes
  const edited = fields.reduce(
    (bytes: Uint8Array, field) => Buffer.from(withField({...file, bytes}, field, replacing)),
    replaced,
  )
  return textOf(edited)
}

/** Replaces values together: `pin` and `resolver` can be invalid with only one of them changed. */
function withReplaced(file: DeclarationFile, fields: readonly Field[]): Uint8Array {
  const declaration = readDeclaration(file.name, file.bytes)
  const changed = fields.filter(field => {
    const declared = field.key === 'xpkg' ? field.declared(declaration) : undefined
    return declared !== undefined && writeJson(declared) !== writeJson(field.value)
  })
  const [first] = changed
  if (first === undefined) return file.bytes
  const edited = changed.reduce(
    (text, field) => withValue({...file, bytes: Buffer.from(text)}, field, field.declared(declaration)),
    textOf(file.bytes),
  )
  // What is wrong with the values together is said as for any declaration.
  readDeclaration(file.name, Buffer.from(edited))
  const expected = changed.reduce((before, field) => field.added(before), declaration)
  if (!isDeclaration(edited, expected)) throw notReplaceable(file, first)
  return Buffer.from(edited)
}

/** Replaces a value on the line of its key; quotes, a comment and the line break stay. */
function withValue(file: DeclarationFile, field: Field, declared: JsonValue | undefined): string {
  const {key, below = key, value} = field
  const lines = linesOf(textOf(file.bytes))
  const line = lineOf(file, [key, below])
  const isWord = ['string', 'number', 'boolean'].includes(typeof declared)
  const before = new RegExp(`(\\b${below}["']?[ \\t]*:[ \\t]+["']?)${writtenAs(declared)}(?![\\w.-])`)
  if (!isWord || !before.test(lines[line - 1] ?? '')) throw notReplaceable(file, field)
  return lines
    .map((text, index) =>
      index === line - 1 ? text.replace(before, (_, start: string) => `${start}${scalarText(value)}`) : text,
    )
    .join('')
}

/** A scalar as it is written in a line: settings need no quotes. */
function scalarText(value: JsonValue): string {
  return typeof value === 'string' ? value : writeJson(value)
}

/** The pattern of a value, with all characters as they are. */
function writtenAs(value: JsonValue | undefined): string {
  return scalarText(value ?? null).replaceAll(/[^\w]/g, String.raw`\$&`)
}

function lineOf({name, bytes}: DeclarationFile, path: readonly string[]): number {
  return readYaml(bytes, name)[0]?.lineOf(path) ?? 1
}

/** One setting, and how a declaration has it. */
interface Field {
  /** The key at the top level, and the key below it, unless it is an item of a list or a text of its own. */
  readonly key: string
  readonly below?: string
  readonly value: JsonValue
  readonly isItem?: boolean
  /** The lines of a field that is added together with another one. */
  readonly lines?: string
  readonly declared: (declaration: Declaration) => JsonValue | undefined
  readonly added: (declaration: Declaration) => Declaration
}

const TEXTS = [
  'crossplaneVersion',
  'coreVersion',
  'defaultSource',
  'systemNamespace',
  'dependencyNamespace',
] as const

function fieldsOf(settings: DeclaredSettings): readonly Field[] {
  const texts = TEXTS.flatMap((key): Field[] => {
    const value = settings[key]
    if (value === undefined) return []
    return [
      {
        key,
        value,
        declared: declaration => declaration[key],
        added: declaration => ({...declaration, [key]: value}),
      },
    ]
  })
  const render = Object.entries(settings.render).map(([below, value]: [string, boolean | string]): Field => ({
    key: 'render',
    below,
    value,
    declared: declaration => declaration.render[below as keyof Declaration['render']],
    added: declaration => ({...declaration, render: {...declaration.render, [below]: value}}),
  }))
  const xpkg = Object.entries(settings.xpkg ?? {}).map(
    ([below, value]: [string, boolean | number | string]): Field => ({
      key: 'xpkg',
      below,
      value,
      declared: declaration => declaration.xpkg?.[below as keyof NonNullable<Declaration['xpkg']>],
      added: declaration => ({...declaration, xpkg: {...declaration.xpkg, [below]: value}}),
    }),
  )
  const owners = settings.owners.map((owner): Field => ({
    key: 'owners',
    below: owner.group,
    value: owner.package,
    declared: declaration => declaration.owners.find(({group}) => group === owner.group)?.package,
    added: declaration => ({...declaration, owners: [owner, ...declaration.owners]}),
  }))
  const assume = settings.assume.map((crd): Field => ({
    key: 'assume',
    value: crd,
    isItem: true,
    declared: declaration => (declaration.assume.includes(crd) ? crd : undefined),
    added: declaration => ({...declaration, assume: [crd, ...declaration.assume]}),
  }))
  const {tree, registries = {}} = settings
  return [
    ...texts,
    ...(tree === undefined ? [] : [layoutField(tree)]),
    ...render,
    ...xpkg,
    ...mirrorFields(registries),
    ...owners,
    ...assume,
  ]
}

function mirrorFields(registries: Mirrors): readonly Field[] {
  return Object.entries(registries).map(([below, value]) => ({
    key: 'registries',
    below,
    value,
    declared: declaration => declaration.registries[below],
    added: declaration => ({...declaration, registries: {...declaration.registries, [below]: value}}),
  }))
}

/** Neither `layout: argocd` nor `argocd` is valid without the other. */
function layoutField({layout, repoURL}: DeclaredLayout): Field {
  const fields = {
    ...(layout === undefined ? {} : {layout}),
    ...(repoURL === undefined ? {} : {argocd: {repoURL}}),
  }
  return {
    key: 'layout',
    value: fields,
    lines: Object.entries(fields)
      .map(([key, value]) => writeYaml([{[key]: value}]))
      .join(''),
    declared: ({tree}) =>
      tree.layout === undefined
        ? undefined
        : {
            ...(layout === undefined ? {} : {layout: tree.layout}),
            ...(repoURL === undefined ? {} : {argocd: {repoURL: tree.argocd?.repoURL ?? ''}}),
          },
    added: declaration => ({...declaration, tree: {...declaration.tree, ...fields}}),
  }
}

function withField(file: DeclarationFile, field: Field, replacing: Replacing | undefined): string {
  const declaration = readDeclaration(file.name, file.bytes)
  const text = textOf(file.bytes)
  const declared = field.declared(declaration)
  if (declared !== undefined) {
    if (writeJson(declared) === writeJson(field.value)) return text
    throw declaredOtherwise(file, field, replacing)
  }
  if (field.key === 'layout') expectWhole(asObject(field.value))
  const edited = insertedLines(file, text, field)
  if (!isDeclaration(edited, field.added(declaration))) throw notAddable(file, field)
  return edited
}

/** Throws `usage` for a layout that lacks a part, which the declaration does not have either. */
function expectWhole({layout, argocd}: JsonObject): void {
  if (layout !== 'argocd' && argocd !== undefined)
    throw lacking('--repo-url requires --layout argocd', 'Leave out --repo-url.')
  if (layout === 'argocd' && argocd === undefined)
    throw lacking('--layout argocd requires --repo-url', 'Pass --repo-url URL.')
}

function lacking(message: string, suggestion: string): CrossplaneError {
  return new CrossplaneError('usage', message, {suggestions: [suggestion]})
}

/** Inserts the lines of a field after its key or, if there is none, after `kind` and `apiVersion`. */
function insertedLines({name, bytes}: DeclarationFile, text: string, field: Field): string {
  const [document] = readYaml(bytes, name)
  const lines = linesOf(text)
  const lineOf = (key: string) => document?.lineOf([key]) ?? 1
  const hasKey = Object.hasOwn((document?.value ?? {}) as object, field.key)
  const at = hasKey ? lineOf(field.key) : Math.max(lineOf('kind'), lineOf('apiVersion'))
  const added = hasKey ? `${indentOf(lines[at])}${ownLine(field)}` : newLines(field)
  const lineBreak = /\r\n|\r|\n/.exec(text)?.[0] ?? '\n'
  const ended = `${added.trimEnd().replaceAll('\n', lineBreak)}${lineBreak}`
  return [...lines.slice(0, at), ended, ...lines.slice(at)].join('')
}

function indentOf(line = ''): string {
  return /^ */.exec(line)?.[0] ?? ''
}

/** The line of a value below its key. */
function ownLine({key, below = key, value, isItem}: Field): string {
  return isItem === true ? `- ${writeYaml([value])}` : writeYaml([{[below]: value}])
}

/** The lines of a key that the declaration does not have. */
function newLines(field: Field): string {
  if (field.lines !== undefined) return field.lines
  if (field.isItem === true) return `${field.key}:\n${ownLine(field)}`
  return field.below === undefined ? ownLine(field) : `${field.key}:\n  ${ownLine(field)}`
}

function nameOf({key, below}: Field): string {
  return below === undefined ? key : `${key}.${below}`
}

function declaredOtherwise(
  {name}: DeclarationFile,
  field: Field,
  replacing: Replacing | undefined,
): CrossplaneError {
  const isReplaceable = replacing !== undefined && field.key === 'xpkg'
  return new CrossplaneError('usage', `${nameOf(field)} in ${name} has a value other than its flag`, {
    suggestions: [
      isReplaceable
        ? 'Pass --change-settings to replace it, or leave out the flag.'
        : `Leave out the flag, or edit ${nameOf(field)} in ${name} first.`,
    ],
  })
}

function notAddable(file: DeclarationFile, field: Field): CrossplaneError {
  const message = `${field.key} is not in block style, one field per line`
  return notEditable(file, field, {
    message,
    line: lineOf(file, [field.key]),
    suggestion: `Add ${nameOf(field)} to ${file.name} by hand.`,
  })
}

function notReplaceable(file: DeclarationFile, field: Field): CrossplaneError {
  const {key, below = key} = field
  const line = lineOf(file, [key, below])
  const message = `the value of ${nameOf(field)} is not plain text on the line of its key`
  const suggestion = `Edit line ${line} of ${file.name} by hand: ${below}: ${scalarText(field.value)}`
  return notEditable(file, field, {message, line, suggestion})
}

function notEditable(
  {name}: DeclarationFile,
  {key}: Field,
  {message, line, suggestion}: {readonly message: string; readonly line: number; readonly suggestion: string},
): CrossplaneError {
  return new CrossplaneError('input-invalid', `cannot edit the declaration ${name}: ${message}`, {
    diagnostics: [{severity: 'error', rule: 'declaration-edit', message, file: name, line, field: key}],
    suggestions: [suggestion],
  })
}
