import {cpSync, existsSync, linkSync, mkdirSync, readdirSync, readFileSync} from 'node:fs'
import {basename, join} from 'node:path'

/**
 * @typedef {import('./run-case.mjs').Case} Case
 * @typedef {{readonly examples: string, readonly recorded: string, readonly corpus: string}} Inputs
 * @typedef {Inputs & {readonly packages: string}} World
 * @typedef {{readonly name: string, readonly tag: string, readonly folder: string, readonly isXpkg: boolean}} Package
 */

/** The dependencies of real xpkgs are in two organizations. */
const OWNERS = ['upbound', 'crossplane-contrib']
const HOST = 'xpkg.upbound.io'

const OTHERS = new Set(['auth.yaml', 'node_modules'])

/** Puts all packages of both corpora into one folder for --packages. @param {string} root @param {Inputs} inputs @returns {World} */
export function makeWorld(root, inputs) {
  const packages = join(root, 'packages')
  const examples = join(root, 'examples')
  const world = {...inputs, packages, examples}
  // Copied, so that a path in a message does not depend on the build.
  linkTree(inputs.examples, examples)
  for (const {name, tag, folder, isXpkg} of corpusPackages(inputs))
    for (const path of isXpkg ? OWNERS.map(owner => `${HOST}/${owner}`) : ['crossplane'])
      linkTree(folder, join(packages, path, `${name}@${tag}`))
  return world
}

/** @param {Pick<Inputs, 'corpus'>} inputs @returns {Package[]} */
function corpusPackages({corpus}) {
  return ['corpus', 'corpus-xpkg'].flatMap(part =>
    namesIn(join(corpus, part))
      .filter(entry => entry.includes('@'))
      .map(entry => {
        const [name = '', tag = ''] = entry.split('@')
        return {name, tag, folder: join(corpus, part, entry), isXpkg: part === 'corpus-xpkg'}
      }),
  )
}

/** @param {string} folder */
const namesIn = folder => (existsSync(folder) ? readdirSync(folder).sort() : [])

/** Copies a folder by links, without what belongs to other programs. @param {string} from @param {string} to */
function linkTree(from, to) {
  mkdirSync(to, {recursive: true})
  for (const entry of readdirSync(from, {withFileTypes: true}))
    if (OTHERS.has(entry.name)) continue
    else if (entry.isDirectory()) linkTree(join(from, entry.name), join(to, entry.name))
    else linkOrCopy(join(from, entry.name), join(to, entry.name))
}

/** @param {string} from @param {string} to */
function linkOrCopy(from, to) {
  try {
    linkSync(from, to)
  } catch {
    cpSync(from, to)
  }
}

/** All cases, of each kind of input. @param {World} world @returns {Case[]} */
export function worldCases(world) {
  const packages = corpusPackages(world)
  return [
    ...folderCases(world, packages),
    ...packages.flatMap(referenceCases),
    ...neighbors(packages).flatMap(upgradeCases),
    ...declaredSets(packages).map(setCase),
    ...recordedCases(world),
  ]
}

/** Every folder that holds a package: of the corpora, the examples, and of tests of templates. @param {World} world @param {readonly Package[]} packages */
function folderCases({examples}, packages) {
  const ofExamples = packageFolders(examples).map(folder => ({folder, isXpkg: isXpkgFolder(folder)}))
  return [...packages, ...ofExamples].map(({folder, isXpkg}) => ({
    name: `folder ${folder.split('/').slice(-3).join('/')}`,
    lines: linesOfFolder(folder, isXpkg),
  }))
}

/** @param {string} folder */
const isXpkgFolder = folder => existsSync(join(folder, 'crossplane.yaml'))

/** @param {string} folder @returns {string[]} */
function packageFolders(folder) {
  if (isXpkgFolder(folder) || existsSync(join(folder, '.registry'))) return [folder]
  return readdirSync(folder, {withFileTypes: true})
    .filter(entry => entry.isDirectory() && entry.name !== 'node_modules')
    .flatMap(entry => packageFolders(join(folder, entry.name)))
}

/** @param {string} folder @param {boolean} isXpkg */
function linesOfFolder(folder, isXpkg) {
  const [name = '', tag = 'v0.1.0'] = basename(folder).split('@')
  const as = `--as-package registry.example.org/team/${name}:${tag}`
  // Packages for a current Crossplane have no namespace.
  const place = isXpkg ? '' : ' -n team-a'
  const both = [
    `package inspect ${folder} ${as}`,
    `package inspect ${folder} -o json`,
    `package lint ${folder}`,
    `package lint ${folder} -o json`,
    `package render ${folder} ${as}${place}`,
    `package render ${folder}${place}`,
    `package render ${folder} ${as}${place} --output-dir out --layout flux --no-dependencies`,
    `package tree ${folder} ${as}${place}`,
    `package why ${name} ${folder} ${as}${place}`,
    `package lock ${folder} ${as}${place}`,
    `package build oci:./image:${tag} ${folder}`,
    `package build oci:./image2 ${folder} --no-lint`,
    `package inspect oci:./image:${tag}`,
    `package tree oci:./image:${tag}${place} -o json`,
  ]
  const own = isXpkg
    ? [`package build ./built.xpkg ${folder}`, `package inspect ./built.xpkg`]
    : [
        `package translate ${folder} ./translated --to registry.example.org/team/${name}:${tag}`,
        `package generate-install registry.example.org/team/${name}:${tag}`,
        `package render ${folder} ${as} -n team-a --api stacks --base --create-namespace`,
      ]
  return [...both, ...own]
}

/** How a package is named in the world of packages. @param {Package} each */
const path = ({name, isXpkg}) => (isXpkg ? `${HOST}/upbound/${name}` : `crossplane/${name}`)

/** @param {Package} each @returns {Case[]} */
function referenceCases(each) {
  const [ref, flags] = [`${path(each)}:${each.tag}`, '--packages {packages} -n team-a']
  const crd = firstCrd(each.folder)
  const lines = [
    `package tree ${ref} ${flags}`,
    `package tree ${ref} ${flags} -o json`,
    `package tree ${ref} ${flags} -o mermaid`,
    `package why ${path(each)} ${ref} ${flags}`,
    `package why ${path(each)} ${ref} ${flags} -o json`,
    `package render ${ref} ${flags}`,
    `package render ${ref} custom-name ${flags} -o name`,
    `package render ${ref} ${flags} --output-dir out --layout argocd --repo-url https://git.example.org/a`,
    `package render ${ref} ${flags} --output-dir out --dry-run`,
    `package lock ${ref} ${flags}`,
    `package outdated ${ref} ${flags}`,
    `package versions ${path(each)} --packages {packages}`,
    `package inspect ${ref} --packages {packages} -o json`,
    `package pull ${ref} --packages {packages}`,
    `bundle create ${ref} --packages {packages} --output ./bundle`,
    `bundle images ${ref} --packages {packages}`,
    ...(crd === undefined
      ? []
      : [
          `package provides ${crd} --packages {packages}`,
          `package tree --crd ${crd} ${flags}`,
          `package why ${crd} ${ref} ${flags}`,
        ]),
  ]
  return [{name: `reference ${ref}`, lines}]
}

/** The name of one CRD of a package, from the name of its file's content. @param {string} folder */
function firstCrd(folder) {
  for (const file of readdirSync(folder, {recursive: true, encoding: 'utf8'}).sort()) {
    if (!/\.ya?ml$/.test(file)) continue
    const text = readFileSync(join(folder, file), 'utf8')
    const isCrd = /^kind: CustomResourceDefinition$/m.test(text)
    const name = isCrd ? /^ {2}name: ["']?([a-z0-9]+\.[a-z0-9.-]+)/m.exec(text)?.[1] : undefined
    if (name !== undefined) return name
  }
  return undefined
}

/** Neighboring releases of one package. @param {readonly Package[]} packages @returns {[Package, Package][]} */
function neighbors(packages) {
  return packages.flatMap((each, i) => {
    const next = packages[i + 1]
    return next !== undefined && next.name === each.name && next.isXpkg === each.isXpkg ? [[each, next]] : []
  })
}

const HEAD = 'apiVersion: packages.kubectl-crossplane.dev/v1alpha1\nkind: PackageDeclaration\n'

/** @param {readonly Package[]} packages */
function declaration(packages) {
  const entries = packages.map(each => {
    const namespace = each.isXpkg ? '' : '\n  namespace: team-a'
    return `- package: ${path(each)}:${each.tag}${namespace}\n`
  })
  const core = packages.some(({isXpkg}) => isXpkg) ? 'coreVersion: v2.3.4\n' : ''
  return `${HEAD}${core}packages:\n${entries.join('')}`
}

const USE = '$ cp after.yaml crossplane-packages.yaml'
const INIT = '$ git init -q -b main . && git add crossplane-packages.yaml && git commit -qm start'
const LOG = '$ git log --format="%an %ae%n%B" --stat && git status --short'

/** From one release to the next and back, in a tree and in a repository. @param {[Package, Package]} pair @returns {Case[]} */
function upgradeCases([old, next]) {
  const name = `${path(old)} ${old.tag} ${next.tag}`
  const files = {'crossplane-packages.yaml': declaration([old]), 'after.yaml': declaration([next])}
  return [
    {name: `upgrade ${name}`, files, lines: treeLines},
    {name: `git ${name}`, files, lines: gitLines},
  ]
}

const treeLines = [
  'package lock --packages {packages}',
  'package tree --packages {packages} --locked',
  'package render --packages {packages} --locked --output-dir tree --layout flux',
  'package check --packages {packages} --output-dir tree',
  'package check --output-dir tree --hashes',
  'package outdated --packages {packages}',
  'package outdated --packages {packages} -o json',
  USE,
  'package check --packages {packages} --output-dir tree',
  'package render --packages {packages} --locked',
  'package lock --packages {packages} --dry-run',
  'package lock --packages {packages}',
  'package render --packages {packages} --output-dir tree --layout flux --dry-run',
  'package render --packages {packages} --output-dir tree --layout flux',
  'package check --packages {packages} --output-dir tree -o json',
  'package drift --packages {packages} --output-dir tree',
]

const gitLines = [
  INIT,
  'package upgrade --git . --packages {packages} --yes',
  LOG,
  'package check --git . --packages {packages}',
  `${USE} && git commit -qam next`,
  'package upgrade --git . --packages {packages} --yes --dry-run',
  'package upgrade --git . --packages {packages} --yes',
  'package drift --git . --packages {packages}',
  LOG,
]

/** Sets of both formats: each package with three that follow it at growing distances. @param {readonly Package[]} packages */
function declaredSets(packages) {
  return packages.map((each, i) => {
    const chosen = [each, ...[7, 19, 31].map(step => packages[(i + step) % packages.length])]
    const names = new Set()
    return chosen.filter(one => {
      if (one === undefined || names.has(path(one))) return false
      names.add(path(one))
      return true
    })
  })
}

/** @param {readonly (Package | undefined)[]} given @returns {Case} */
function setCase(given) {
  const packages = given.filter(each => each !== undefined)
  const [first] = packages
  return {
    name: `set ${packages.map(({name, tag}) => `${name}@${tag}`).join(' ')}`,
    files: {'crossplane-packages.yaml': declaration(packages)},
    lines: [
      'package tree --packages {packages}',
      'package tree --packages {packages} -o json',
      'package lock --packages {packages} --split',
      'package render --packages {packages} --output-dir tree',
      'package check --packages {packages} --output-dir tree',
      ...(first === undefined ? [] : [`package why ${path(first)} --packages {packages}`]),
      'package outdated --packages {packages}',
      'package lock --packages {packages} --upgrade',
      'bundle images --packages {packages}',
      'package render --packages {packages} --expand',
    ],
  }
}

/** Each folder of scripts/compare/recorded: its files, and its commands in commands.txt. @param {World} world @returns {Case[]} */
function recordedCases({recorded}) {
  return namesIn(recorded).map(name => {
    const folder = join(recorded, name)
    const lines = readFileSync(join(folder, 'commands.txt'), 'utf8').split('\n')
    return {
      name: `recorded ${name}`,
      folder,
      lines: lines.filter(line => line !== '' && !line.startsWith('#')),
    }
  })
}
