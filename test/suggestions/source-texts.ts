import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import ts from 'typescript'

const ROOT = join(import.meta.dirname, '../..')
const PLUGINS = join(ROOT, 'plugins')
/** The sources of the program and of its plugins. */
const SOURCES = [
  join(ROOT, 'src'),
  ...readdirSync(PLUGINS)
    .sort()
    .map(name => join(PLUGINS, name, 'src')),
]

/** A text in the sources that is printed as a suggestion, or as a part of one. */
export interface SourceText {
  /** Such as `Pass --namespace NAME.`, with `…` in place of what is filled in. */
  readonly text: string
  /** Matches what is printed, whatever is filled in. */
  readonly pattern: RegExp
}

/** Properties whose text is shown elsewhere: help, tables and the pages of lint rules. */
const OTHER_PROPERTIES = new Set([
  'created_by',
  'description',
  'examples',
  'group',
  'helpValue',
  'summary',
  'title',
  'why',
])
/** Output on stdout, and the static text of help and lint rules. */
const OTHER_FILES = /^(?:author\/lint\/rules|cli\/shell\/help|commands)\//
/** How a suggestion starts: an imperative, or a program. Messages start in lowercase. */
const SENTENCE = new RegExp(
  `^(?:Or )?(?:${[
    ...[
      'Add',
      'Ask',
      'Build',
      'Change',
      'Check',
      'Choose',
      'Correct',
      'Create',
      'Delete',
      'Did',
      'Export',
      'Fetch',
    ],
    ...[
      'Find',
      'Fix',
      'Free',
      'Give',
      'Increase',
      'Install',
      'Keep',
      'Leave',
      'List',
      'Log',
      'Look',
      'Make',
      'Move',
    ],
    ...[
      'Name',
      'Omit',
      'Pass',
      'Pause',
      'Pin',
      'Pipe',
      'Publish',
      'Pull',
      'Push',
      'Put',
      'Raise',
      'Read',
      'Remove',
      'Request',
    ],
    ...[
      'Resolve',
      'Restore',
      'Review',
      'Run',
      'Save',
      'Select',
      'Set',
      'Shorten',
      'Split',
      'Try',
      'Undo',
      'Upgrade',
    ],
    ...['Use', 'Write', 'Yank', 'kubectl', 'git', 'rm'],
  ].join('|')}) `,
)
/** What can fail when it is followed: a program, a flag, or something filled in. */
const CAN_FAIL = /--[a-z]|(?:kubectl|git|rm|skopeo|chmod|ulimit) |…/

/** The texts of the sources that are suggestions and can fail when they are followed. */
export function suggestionTexts(): SourceText[] {
  return SOURCES.flatMap(folder =>
    readdirSync(folder, {recursive: true, encoding: 'utf8'})
      .filter(path => path.endsWith('.ts') && !OTHER_FILES.test(path))
      .sort()
      .flatMap(path => textsIn(join(folder, path))),
  )
}

function textsIn(path: string): SourceText[] {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.ES2022, true)
  const found: SourceText[] = []
  const constants = constantsIn(source)
  const visit = (node: ts.Node): void => {
    const parts = partsOf(node, constants)
    if (parts !== undefined && isSuggestion(parts.join('…'), node)) {
      const pattern = new RegExp(parts.map(escapedPattern).join('.*'))
      found.push({text: parts.join('…'), pattern})
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function escapedPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}

/** The texts of the constants of a file, by name, with `…` in place of what is filled in. */
type Constants = ReadonlyMap<string, string>

function constantsIn(source: ts.SourceFile): Constants {
  const constants = new Map<string, string>()
  for (const statement of source.statements) {
    if (!ts.isVariableStatement(statement)) continue
    for (const {name, initializer} of statement.declarationList.declarations) {
      const parts = initializer && partsOf(initializer, constants)
      if (parts !== undefined) constants.set(name.getText(), parts.join('…'))
    }
  }
  return constants
}

/** The texts around what a literal fills in that is not a constant of its file. */
function partsOf(node: ts.Node, constants: Constants): string[] | undefined {
  if (ts.isStringLiteralLike(node)) return node.text.split('{host}')
  if (!ts.isTemplateExpression(node)) return undefined
  const filled = node.templateSpans.map(({expression, literal}) => {
    const text = ts.isIdentifier(expression) ? constants.get(expression.text) : undefined
    return `${text ?? '…'}${literal.text}`
  })
  return `${node.head.text}${filled.join('')}`.split('…')
}

function isSuggestion(text: string, node: ts.Node): boolean {
  return SENTENCE.test(text) && CAN_FAIL.test(text) && !isPartOfHelp(node)
}

function isPartOfHelp(node: ts.Node): boolean {
  for (let at = node; !ts.isSourceFile(at) && !ts.isFunctionLike(at); at = at.parent) {
    if (ts.isPropertyAssignment(at) && OTHER_PROPERTIES.has(at.name.getText())) return true
    if (ts.isImportDeclaration(at)) return true
  }
  return false
}
