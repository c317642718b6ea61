/**
 * Builds the WebAssembly module of the template engines, `npm run build:engines`: the same bytes on every machine with
 * Go. `node build.mjs --check` compares it with the committed module instead of replacing it.
 */
import {gunzipSync, gzipSync} from 'fflate'
import {Buffer} from 'node:buffer'
import {execFileSync} from 'node:child_process'
import {createHash} from 'node:crypto'
import {cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import path from 'node:path'
import {fileURLToPath} from 'node:url'

import {DEFINITIONS_FILE, EDITS, FILES, GO_EDITS} from './edits.mjs'
import {withMaximumMemory} from './memory.mjs'

const FOLDER = path.dirname(fileURLToPath(import.meta.url))

/** The version of Go, which is part of what makes the bytes. */
const GO_VERSION = 'go1.26.8'

/** The memory that a template can use, in pages of 64 KiB: 512 MiB. */
const MAXIMUM_PAGES = 8192

/** What decides about the bytes is set here; only the caches and the proxies of Go are the user's. */
function goEnvironment() {
  return {
    ...process.env,
    GOOS: 'wasip1',
    GOARCH: 'wasm',
    GOWASM: '',
    GOFLAGS: '-mod=readonly',
    GOTOOLCHAIN: GO_VERSION,
    GOWORK: 'off',
    GOEXPERIMENT: '',
    GODEBUG: '',
    CGO_ENABLED: '0',
  }
}

/** Folders of modules without Go code of a program. */
const SKIPPED_FOLDERS = ['testdata', 'overlay', 'node_modules']

/**
 * @param {string} cwd
 * @param {readonly string[]} arguments_
 * @param {NodeJS.ProcessEnv} [env]
 */
function go(cwd, arguments_, env = goEnvironment()) {
  return execFileSync('go', [...arguments_], {
    cwd,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 << 20,
  })
}

/**
 * Returns the module of the engines, not compressed, and the Go modules that are linked into it, with their licenses.
 *
 * @returns {{readonly module: Buffer, readonly modules: readonly LinkedModule[], readonly licenses: string}}
 */
export function buildEngines() {
  const temporary = mkdtempSync(path.join(tmpdir(), 'kubectl-crossplane-engines-'))
  try {
    const target = path.join(temporary, 'engines.wasm')
    writeProgram(temporary)
    go(temporary, [
      'build',
      `-overlay=${writeOverlay(temporary)}`,
      '-buildmode=c-shared',
      '-trimpath',
      '-buildvcs=false',
      `-ldflags=${linkerFlags()}`,
      '-o',
      target,
      '.',
    ])
    return {
      module: Buffer.from(withMaximumMemory(readFileSync(target), MAXIMUM_PAGES)),
      ...linkedModules(temporary),
    }
  } finally {
    rmSync(temporary, {recursive: true, force: true})
  }
}

/** Helm is built as its Makefile builds it: with the version of Kubernetes that belongs to its client. */
function linkerFlags() {
  const minor = /^v0\.(\d+)\./.exec(moduleVersion('k8s.io/client-go'))?.[1]
  const variable = 'helm.sh/helm/v3/pkg/chartutil.k8sVersion'
  return `-s -w -buildid= -X ${variable}Major=1 -X ${variable}Minor=${minor}`
}

/** Texts of licenses, by the names that Go modules give them. */
const LICENSE_FILE = /^(?:li[cs]en[cs]e|copying|notice|unlicense)/i

/**
 * A module that has a package in the program; `license` is an SPDX expression, `sum` the hash that go.sum has.
 *
 * @typedef {{readonly name: string, readonly version: string, readonly license: string, readonly sum?: string}} LinkedModule
 */

/**
 * Returns Go and the modules that have a package in the program, and their licenses.
 *
 * @param {string} folder of the program
 * @returns {{readonly modules: readonly LinkedModule[], readonly licenses: string}}
 */
function linkedModules(folder) {
  const listed = go(folder, [
    'list',
    '-deps',
    '-f',
    '{{with .Module}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}',
    '.',
  ])
  const modules = [...new Set(listed.split('\n').filter(Boolean))].map(line => line.split('\t'))
  const linked = modules
    .filter(([, version]) => version !== '')
    .sort(([a = ''], [b = '']) => (a < b ? -1 : 1))
  const root = go(folder, ['env', 'GOROOT']).trim()
  const all = [['Go', GO_VERSION.slice('go'.length), root], ...linked].map(
    ([name = '', version = '', place = '']) => ({name, version, texts: licenseTexts(name, place)}),
  )
  const sums = moduleSums()
  return {
    modules: all.map(({name, version, texts}) => ({
      name,
      version,
      license: [...new Set(texts.flatMap(licenseIds))].sort().join(' AND ') || unknownLicense(name),
      sum: sums.get(`${name} ${version}`),
    })),
    licenses: all
      .map(
        ({name, version, texts}) => `${name} ${version}, in the template engines\n\n${texts.join('\n\n')}\n`,
      )
      .join(`${'-'.repeat(80)}\n`),
  }
}

/**
 * @param {string} name
 * @param {string} folder
 */
function licenseTexts(name, folder) {
  const texts = readdirSync(folder, {withFileTypes: true})
    .filter(entry => entry.isFile() && LICENSE_FILE.test(entry.name))
    .map(({name: file}) => readFileSync(path.join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim())
  if (texts.length === 0) throw new Error(`${name} has no license`)
  return texts
}

/** Sentences that only the text of a license has. @type {readonly (readonly [id: string, sentence: RegExp])[]} */
const LICENSES = [
  ['Apache-2.0', /Apache License,?\s+Version 2\.0/],
  ['MPL-2.0', /Mozilla Public License,?\s+(?:Version|version|v\.) ?2\.0/],
  ['MIT', /Permission is hereby granted, free of charge/],
  ['ISC', /Permission to use, copy, modify, and(?:\/or)? distribute this software/],
  ['BSD-3-Clause', /Redistribution and use in source[^]*Neither the names? of/],
  ['BSD-2-Clause', /Redistribution and use in source(?![^]*Neither the names? of)/],
]

/** @param {string} text */
function licenseIds(text) {
  return LICENSES.flatMap(([id, sentence]) => (sentence.test(text) ? [id] : []))
}

/** @param {string} name */
function unknownLicense(name) {
  throw new Error(`the license of ${name} is not one of ${LICENSES.map(([id]) => id).join(', ')}`)
}

/** @returns {ReadonlyMap<string, string>} the hashes of go.sum by name and version */
function moduleSums() {
  const lines = readFileSync(fileOf('go.sum'), 'utf8').split('\n')
  return new Map(
    lines.flatMap(line => {
      const [name = '', version = '', sum = ''] = line.split(' ')
      return sum === '' || version.endsWith('/go.mod') ? [] : [[`${name} ${version}`, sum]]
    }),
  )
}

/** @param {string} module */
function moduleVersion(module) {
  return go(FOLDER, ['list', '-m', '-f', '{{.Version}}', module]).trim()
}

/** @param {string} module */
function moduleFolder(module) {
  return go(FOLDER, ['list', '-m', '-f', '{{.Dir}}', module]).trim()
}

/**
 * Writes the program with changed copies of the modules that it changes. Go's `-overlay` would do the same without
 * copies, but since 1.26 it refuses to replace files of the module cache.
 *
 * @param {string} target
 */
function writeProgram(target) {
  copyFiles(FOLDER, target, name => /\.(?:go|sum)$/.test(name))
  const modules = [...new Set([...FILES, ...EDITS].map(({module}) => module))]
  go(FOLDER, ['mod', 'download', ...modules])
  for (const module of modules)
    copyFiles(moduleFolder(module), path.join(target, module), name => !name.endsWith('_test.go'))
  for (const {module, file, by} of FILES)
    cpSync(path.join(FOLDER, 'overlay', by), path.join(target, module, file))
  for (const edit of EDITS) {
    const file = path.join(target, edit.module, edit.file)
    writeFileSync(file, editedText(readFileSync(file, 'utf8'), edit))
  }
  writeFileSync(path.join(target, DEFINITIONS_FILE), kubernetesDefinitions())
  const replaced = modules.map(module => `replace ${module} => ./${module}\n`)
  writeFileSync(
    path.join(target, 'go.mod'),
    readFileSync(path.join(FOLDER, 'go.mod'), 'utf8') + replaced.join(''),
  )
}

/**
 * Writes the changed files of the standard library; returns the file that lists them.
 *
 * @param {string} target
 */
function writeOverlay(target) {
  const root = path.join(go(target, ['env', 'GOROOT']).trim(), 'src')
  const replaced = GO_EDITS.map(edit => {
    const file = path.join(target, 'go-overlay', edit.file)
    mkdirSync(path.dirname(file), {recursive: true})
    writeFileSync(file, editedText(readFileSync(path.join(root, edit.file), 'utf8'), edit))
    return [path.join(root, edit.file), file]
  })
  const list = path.join(target, 'overlay.json')
  writeFileSync(list, JSON.stringify({Replace: Object.fromEntries(replaced)}))
  return list
}

/** Returns what the program in `definitions` prints, on the machine that builds. */
function kubernetesDefinitions() {
  return go(FOLDER, ['run', './definitions'], {...goEnvironment(), GOOS: '', GOARCH: ''})
}

/**
 * Copies files whose names pass, with permission to change them, which those of the module cache lack.
 *
 * @param {string} source
 * @param {string} target
 * @param {(name: string) => boolean} isCopied
 */
function copyFiles(source, target, isCopied) {
  mkdirSync(target, {recursive: true})
  for (const entry of readdirSync(source, {withFileTypes: true})) {
    const from = path.join(source, entry.name)
    const to = path.join(target, entry.name)
    if (entry.isFile() && isCopied(entry.name)) writeFileSync(to, readFileSync(from))
    if (entry.isDirectory() && !SKIPPED_FOLDERS.includes(entry.name)) copyFiles(from, to, isCopied)
  }
}

/**
 * @param {string} text
 * @param {Omit<import('./edits.mjs').Edit, 'module'>} edit
 */
function editedText(text, {file, replace = [], cut}) {
  let result = text
  for (const [from, to, times = 1] of replace) {
    const parts = result.split(from)
    if (parts.length !== times + 1)
      throw new Error(`${file} has ${JSON.stringify(from)} ${parts.length - 1} times, not ${times}`)
    result = parts.join(to)
  }
  return cut === undefined ? result : withoutPart(result, file, cut)
}

/**
 * @param {string} text
 * @param {string} file
 * @param {readonly [string, string]} cut
 */
function withoutPart(text, file, [from, to]) {
  const start = text.indexOf(from)
  const end = to === '' ? text.length : text.indexOf(to, start)
  if (start === -1 || end === -1) throw new Error(`${file} has no part from ${from} to ${to}`)
  return text.slice(0, start) + text.slice(end)
}

/** @param {string} name */
const fileOf = name => path.join(FOLDER, name)

/** @returns {Buffer} the committed module, not compressed */
function committedEngines() {
  return Buffer.from(gunzipSync(readFileSync(fileOf('engines.wasm.gz'))))
}

/** @param {Uint8Array} bytes */
function sha256(bytes) {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Writes the module, compressed by code whose result is the same everywhere, which that of zlib is not. */
function run() {
  const {module: built, modules, licenses} = buildEngines()
  const texts = {'THIRD-PARTY-LICENSES': licenses, 'modules.json': `${JSON.stringify(modules, null, 2)}\n`}
  console.log(`${sha256(built)} built`)
  if (process.argv.includes('--check')) {
    console.log(`${sha256(committedEngines())} committed`)
    const others = Object.entries(texts).filter(([name, text]) => readFileSync(fileOf(name), 'utf8') !== text)
    for (const [name] of others) console.log(`${name} differs`)
    process.exitCode = built.equals(committedEngines()) && others.length === 0 ? 0 : 1
    return
  }
  writeFileSync(fileOf('engines.wasm.gz'), gzipSync(built, {level: 9, mtime: 0}))
  for (const [name, text] of Object.entries(texts)) writeFileSync(fileOf(name), text)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) run()
