// Lists banned phrases: node scripts/words/find-phrases.mjs PATH... (files or folders; .ts: literals and comments, .md: text)
import {readdirSync, readFileSync, statSync} from 'node:fs'
import {join} from 'node:path'
import ts from 'typescript'
import {BANNED_PHRASES} from './banned-phrases.mjs'

const patterns = BANNED_PHRASES.map(({phrase, instead}) => ({
  pattern: new RegExp(`\\b(?:${phrase})\\b`, 'i'),
  instead,
}))

/** @param {string} text */
export function bannedPhrases(text) {
  return patterns.flatMap(({pattern, instead}) => {
    const found = pattern.exec(text)
    return found === null ? [] : [{phrase: found[0], instead}]
  })
}

/** @param {string} path @returns {string[]} */
function filesIn(path) {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path).flatMap(name => filesIn(join(path, name)))
}

/** @param {string} text @returns {{line: number, text: string}[]} */
function piecesOfTypeScript(text) {
  const source = ts.createSourceFile('x.ts', text, ts.ScriptTarget.Latest, true)
  const lineAt = (/** @type {number} */ at) => source.getLineAndCharacterOfPosition(at).line + 1
  /** @type {{line: number, text: string}[]} */
  const pieces = []
  const visit = (/** @type {ts.Node} */ node) => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      if (!ts.isImportDeclaration(node.parent)) pieces.push({line: lineAt(node.getStart()), text: node.text})
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  for (const match of text.matchAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*/g)) {
    pieces.push({line: lineAt(match.index), text: match[0].replace(/\n\s*\*/g, '')})
  }
  return pieces
}

/** Leaves out the stable names of values, each in backticks. @param {string} line */
function withoutValues(line) {
  return line.replaceAll(/`[\w-]+`/g, '``')
}

/** @param {string} file */
export function findIn(file) {
  const text = readFileSync(file, 'utf8')
  const pieces = file.endsWith('.ts')
    ? piecesOfTypeScript(text)
    : text.split('\n').map((line, index) => ({line: index + 1, text: withoutValues(line)}))
  return pieces.flatMap(({line, text: piece}) =>
    bannedPhrases(piece).map(({phrase, instead}) => `${file}:${line}: "${phrase}": write: ${instead}`),
  )
}

if (import.meta.filename === process.argv[1]) {
  const found = process.argv
    .slice(2)
    .flatMap(filesIn)
    .filter(file => /\.(ts|md)$/.test(file))
    .flatMap(findIn)
  for (const each of found) console.log(each)
  process.exitCode = found.length === 0 ? 0 : 1
}
