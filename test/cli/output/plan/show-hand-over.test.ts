import {describe, expect, it} from '@jest/globals'
import {execFileSync} from 'node:child_process'
import {existsSync, mkdirSync, mkdtempSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {formatHandOver} from '../../../../src/cli/output/plan/show-hand-over.js'
import {objectKey} from '../../../../src/kubernetes/object-key.js'
import type {KubernetesObject} from '../../../../src/kubernetes/kubernetes-object.js'
import {findHandOver} from '../../../../src/plan/git/hand-over.js'
import {temporaryFolder, writeTree} from '../../../temporary-folder.js'

const temporary = temporaryFolder()
const ENV = {PATH: process.env.PATH, HOME: temporary, GIT_CONFIG_NOSYSTEM: '1'}

function provider(name: string): KubernetesObject {
  return {apiVersion: 'pkg.crossplane.io/v1', kind: 'Provider', metadata: {name}}
}

const textOf = (name: string) =>
  `apiVersion: pkg.crossplane.io/v1\nkind: Provider\nmetadata:\n  name: ${name}\nspec:\n  package: r.example.org/x/${name}:v1.0.0\n`

const FILES = {
  'apps/helm.yaml': textOf('helm'),
  'apps/it is.yaml': textOf('sql'),
  'apps/all.yaml': `${textOf('azure')}---\nkind: Other\n`,
}

/** Returns a folder of a clone with these files, with a remote that takes what is pushed. */
function clone(): string {
  const folder = mkdtempSync(join(temporary, 'a folder-'))
  const git = (...args: readonly string[]) => execFileSync('git', args, {cwd: folder, env: ENV})
  writeTree(join(folder, 'clusters'), FILES)
  git('init', '--quiet', '--initial-branch=main')
  git('config', 'user.name', 'suite')
  git('config', 'user.email', 'suite@example.org')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'Add packages')
  const bare = `${folder}.git`
  mkdirSync(bare)
  git('init', '--quiet', '--bare', bare)
  git('remote', 'add', 'origin', bare)
  git('push', '--quiet', '--set-upstream', 'origin', 'main')
  return join(folder, 'clusters')
}

/** The commands of a step that change files, with the lines that they read. */
function commandsOf(steps: string, step: number): string {
  const [, text = ''] =
    new RegExp(`^(# Step ${step}: .*?)(?=^# Step|\\Z(?![^]))`, 'ms').exec(`${steps}# Step end`) ?? []
  return text.replaceAll(/^kubectl .*$/gm, '')
}

describe('the steps of a hand-over', () => {
  const names = ['helm', 'sql', 'azure']
  const found = (labels: Readonly<Record<string, string>>) => {
    const live = names.map(name => ({...provider(name), metadata: {name, labels}}))
    const files = Object.entries(FILES).map(([path, text]) => ({path, bytes: Buffer.from(text)}))
    const byKey = new Map(live.map(object => [objectKey({...object, name: object.metadata.name}), object]))
    return findHandOver(files, names.map(provider), byKey)
  }
  const home = (folder: string) => ({
    declaration: join(folder, 'crossplane-packages.yaml'),
    lockFile: join(folder, 'crossplane-packages.lock'),
    tree: join(folder, 'packages'),
    layout: 'flux' as const,
    argv: [] as readonly string[],
  })

  it('work when pasted: protect all objects, and remove what is only theirs', () => {
    const folder = clone()
    const handOver = found({'kustomize.toolkit.fluxcd.io/name': 'apps'})
    const steps = formatHandOver(handOver, folder, home(folder))
    const run = (step: number) => {
      execFileSync('bash', ['-e', '-c', commandsOf(steps, step)], {env: ENV, stdio: 'pipe'})
    }
    run(1)
    for (const {path, protected: text} of handOver.files)
      expect(readFileSync(join(folder, path), 'utf8')).toBe(text)
    const pushed = execFileSync('git', ['log', '--format=%s', 'origin/main'], {cwd: folder, env: ENV})
    expect(pushed.toString()).toBe('Keep Crossplane packages from pruning\nAdd packages\n')
    expect(steps).toContain(`${join(folder, 'packages')}/flux/start.yaml`)
    expect(steps).toContain('apps/all.yaml:1: remove Provider azure by hand')

    writeTree(folder, {'apps/all.yaml': 'kind: Other\n'})
    run(3)
    expect(Object.keys(FILES).filter(path => existsSync(join(folder, path)))).toEqual(['apps/all.yaml'])
  })

  it('have no protection where no controller deletes anything', () => {
    const steps = formatHandOver(found({}), '.', {...home('.'), layout: 'plain'})
    expect(steps).toContain('nothing can be pruned')
    expect(steps).not.toContain('PATCH')
    expect(steps).toContain('# Step 2: remove')
  })

  it('reach the cluster of the import, and leave the lines of the patch as they are', () => {
    const text = textOf('helm').replace('metadata:', '# Undo: kubectl delete provider helm\nmetadata:')
    const live = {
      ...provider('helm'),
      metadata: {name: 'helm', labels: {'kustomize.toolkit.fluxcd.io/name': 'a'}},
    }
    const handOver = findHandOver(
      [{path: 'helm.yaml', bytes: Buffer.from(text)}],
      [provider('helm')],
      new Map([[objectKey({...live, name: 'helm'}), live]]),
    )
    const argv = ['--context', 'prod', '--kubeconfig=my config', '--objects', '.']
    const steps = formatHandOver(handOver, '.', {...home('.'), argv}).split('\n')
    const reaching = steps.filter(line => /^kubectl (?!crossplane package render)/.test(line))
    expect(
      reaching.map(line => line.replace(/^kubectl ((?:crossplane package )?\w+) .*?(?= --kubeconfig)/, '$1')),
    ).toEqual(
      ['get', 'apply', 'crossplane package drift', 'get', 'get'].map(
        name => `${name} --kubeconfig 'my config' --context prod`,
      ),
    )
    expect(steps).toContain(' # Undo: kubectl delete provider helm')
  })

  it.each([
    {
      lockFile: 'deploy/crossplane-packages.lock',
      add: 'git -C ./deploy add crossplane-packages.yaml crossplane-packages.lock packages',
      flags: '',
    },
    {
      lockFile: './locks/my prod.lock',
      add: "git -C ./deploy add crossplane-packages.yaml '../locks/my prod.lock' packages",
      flags: " --lock-file './locks/my prod.lock'",
    },
  ])('name the lock $lockFile in the folder of the declaration', ({lockFile, add, flags}) => {
    const declaration = './deploy/crossplane-packages.yaml'
    const place = {...home('.'), declaration, lockFile, tree: 'deploy/packages'}
    const steps = formatHandOver(found({}), '.', place).split('\n')
    expect(steps).toContain(add)
    expect(steps).toContain(
      `kubectl crossplane package render --declaration ${declaration}${flags} --output-dir deploy/packages`,
    )
    expect(steps).toContain(`kubectl crossplane package drift --declaration ${declaration}${flags}`)
  })
})
