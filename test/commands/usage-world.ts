import {execFileSync} from 'node:child_process'
import {mkdtempSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {type CliResult, runCli} from '../run-cli.js'
import {writeTree} from '../temporary-folder.js'

/** The formats of packages, and what requests a version of the one of a story. */
export const FORMATS = ['xpkg', 'stack'] as const
export type StoryFormat = (typeof FORMATS)[number]

/** A public story of a provider upgrade that broke objects, rebuilt small. */
export interface Story {
  readonly name: string
  /** The fields of `spec` before and after. */
  readonly old: string
  readonly now: string
  /** What an object has of them. */
  readonly spec: string
  /** The effects, as `VERDICT PATH`. */
  readonly want: readonly string[]
}

export const STORIES: readonly Story[] = [
  {
    name: 'a removed field',
    old: 'network: {type: object, properties: {zone: {type: string}, id: {type: string}}}',
    now: 'network: {type: object, properties: {id: {type: string}}}',
    spec: 'network: {zone: a, id: b}',
    want: ['breaks spec.network.zone', 'lost spec.network.zone'],
  },
  {
    name: 'a boolean that becomes text',
    old: 'public: {type: boolean}',
    now: 'public: {type: string}',
    spec: 'public: true',
    want: ['breaks spec.public'],
  },
  {
    name: 'a list that can no longer be read',
    old: 'rules: {type: array, items: {type: object, properties: {port: {type: integer}}}}',
    now: 'rules: {type: object, properties: {port: {type: integer}}}',
    spec: 'rules: [{port: 80}]',
    want: ['breaks spec.rules', 'breaks spec.rules[0].port', 'lost spec.rules[0].port'],
  },
  {
    name: 'a field that is gone without a new version',
    old: 'size: {type: integer}, zone: {type: string}',
    now: 'size: {type: integer}',
    spec: 'size: 3\n  zone: a',
    want: ['breaks spec.zone', 'lost spec.zone'],
  },
]

/** The CRD `dbs.example.org` with some fields of `spec`. */
function storyCrd(fields: string, apiVersion: 'v1' | 'v1beta1'): string {
  const schema = `{openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {${fields}}}}}}`
  const versions = `versions:\n  - name: v1\n    served: true\n    storage: true\n    schema: ${schema}`
  const body =
    apiVersion === 'v1' ? versions : `version: v1\n  preserveUnknownFields: false\n  validation: ${schema}`
  return `apiVersion: apiextensions.k8s.io/${apiVersion}
kind: CustomResourceDefinition
metadata: {name: dbs.example.org}
spec:
  group: example.org
  scope: Cluster
  names: {plural: dbs, kind: Db, singular: db, listKind: DbList}
  ${body}
`
}

/** An object of that CRD. */
export function storyObject(spec: string, name = 'main'): string {
  return `apiVersion: example.org/v1\nkind: Db\nmetadata: {name: ${name}}\nspec:\n  ${spec}\n`
}

const PROVIDER = 'apiVersion: meta.pkg.crossplane.io/v1\nkind: Provider\nmetadata: {name: sql}\n'
const APP = 'title: App\npermissionScope: Cluster\n'

/** The files of a version of a package with that CRD. */
function storyPackage(format: StoryFormat, fields: string): Readonly<Record<string, string>> {
  return format === 'xpkg'
    ? {'crossplane.yaml': PROVIDER, 'crd.yaml': storyCrd(fields, 'v1')}
    : {'.registry/app.yaml': APP, '.registry/resources/a.crd.yaml': storyCrd(fields, 'v1beta1')}
}

/** The repository of the package. */
export const STORY_PACKAGE = 'registry.example.org/example/sql'

/** The declaration that requests a version and names the folder `clusters`, where no others are named. */
export function storyDeclaration(tag: string, more = ''): string {
  return `apiVersion: packages.kubectl-crossplane.dev/v1alpha1
kind: PackageDeclaration
usage: {objects: [clusters]}
${more}packages:
- package: ${STORY_PACKAGE}:${tag}
`
}

/** A repository with a declaration, and a folder of packages with two versions. */
export class UsageWorld {
  readonly root: string
  readonly packages: string
  readonly #unseen: readonly string[]

  constructor(folder: string, format: StoryFormat, story: Pick<Story, 'old' | 'now' | 'spec'>) {
    this.root = mkdtempSync(join(folder, 'repository-'))
    this.#unseen = format === 'stack' ? ['--assume-no-instances'] : []
    this.packages = mkdtempSync(join(folder, 'packages-'))
    for (const [tag, fields] of Object.entries({'v1.0.0': story.old, 'v2.0.0': story.now}))
      writeTree(join(this.packages, `example/sql@${tag}`), storyPackage(format, fields))
    writeTree(this.root, {
      'crossplane-packages.yaml': storyDeclaration('v1.0.0'),
      'clusters/db.yaml': `# A comment\n${storyObject(story.spec)}`,
    })
  }

  at(path: string): string {
    return join(this.root, path)
  }

  text(path: string): string {
    return readFileSync(this.at(path), 'utf8')
  }

  write(files: Readonly<Record<string, string>>): void {
    writeTree(this.root, files)
  }

  edit(path: string, from: string, to: string): void {
    writeFileSync(this.at(path), this.text(path).replace(from, to))
  }

  /** Runs a command of packages in the repository. */
  async run(command: string, ...words: readonly string[]): Promise<CliResult> {
    const before = process.cwd()
    process.chdir(this.root)
    try {
      return await runCli('package', command, ...words, '--packages', this.packages)
    } finally {
      process.chdir(before)
    }
  }

  git(...args: readonly string[]): string {
    const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.org', '-c', 'commit.gpgsign=false']
    return execFileSync('git', ['-C', this.root, ...identity, ...args], {encoding: 'utf8', stdio: 'pipe'})
  }

  /** Locks, renders and commits what the declaration requests, on the branch `main`. */
  async committed(): Promise<void> {
    await this.rendered()
    this.git('init', '--quiet', '--initial-branch=main')
    this.git('config', 'user.name', 'A')
    this.git('config', 'user.email', 'a@example.org')
    this.commit('first')
  }

  /** Locks and renders what the declaration requests. */
  async rendered(): Promise<string> {
    const locked = await this.run('lock')
    const {status, stderr} =
      locked.status === 0 ? await this.run('render', '--output-dir', 'packages', ...this.#unseen) : locked
    if (status !== 0) throw new Error(stderr)
    return locked.stderr
  }

  commit(message: string): void {
    this.git('add', '--all')
    this.git('commit', '--quiet', `--message=${message}`)
  }
}
