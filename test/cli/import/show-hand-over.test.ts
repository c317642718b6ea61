import {describe, expect, it, jest} from '@jest/globals'
import {execFileSync} from 'node:child_process'
import {existsSync, mkdirSync, mkdtempSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {formatHandOver, showNextSteps} from '../../../src/cli/import/show-hand-over.js'
import {objectKey} from '../../../src/kubernetes/object-key.js'
import type {KubernetesObject} from '../../../src/kubernetes/kubernetes-object.js'
import {findHandOver} from '../../../src/plan/git/hand-over.js'
import {temporaryFolder, writeTree} from '../../temporary-folder.js'

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
  'apps/kustomization.yaml': 'resources:\n- helm.yaml\n- all.yaml\n- ../apps/it is.yaml\n',
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
    return findHandOver({files, unread: []}, names.map(provider), byKey)
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
    // The GitRepository of the cluster stays as it is, and so does the file.
    expect(steps).toContain(
      `sed '1,/^---$/d' '${join(folder, 'packages')}/flux/start.yaml' | kubectl apply --filename -`,
    )
    expect(steps).toContain('apps/all.yaml:1: remove Provider azure by hand')

    expect(steps.split('\n').filter(line => line.includes(' from resources '))).toEqual([
      '# apps/kustomization.yaml:2: remove helm.yaml from resources by hand, or the folder cannot be built.',
      '# apps/kustomization.yaml:4: remove ../apps/it is.yaml from resources by hand, or the folder cannot be built.',
    ])
    writeTree(folder, {
      'apps/all.yaml': 'kind: Other\n',
      'apps/kustomization.yaml': 'resources:\n- all.yaml\n',
    })
    run(3)
    expect(Object.keys(FILES).filter(path => existsSync(join(folder, path)))).toEqual([
      'apps/all.yaml',
      'apps/kustomization.yaml',
    ])
    const left = execFileSync('git', ['status', '--short', '--untracked-files=no'], {cwd: folder, env: ENV})
    expect(left.toString()).toBe('')
  })

  it('commit nothing again that is protected already', () => {
    const protectedText = textOf('helm').replace(
      'metadata:\n',
      'metadata:\n  annotations:\n    kustomize.toolkit.fluxcd.io/prune: disabled\n',
    )
    const live = {
      ...provider('helm'),
      metadata: {name: 'helm', labels: {'kustomize.toolkit.fluxcd.io/name': 'a'}},
    }
    const files = [{path: 'helm.yaml', bytes: Buffer.from(protectedText)}]
    const byKey = new Map([[objectKey({...live, name: 'helm'}), live]])
    const handOver = findHandOver({files, unread: []}, [provider('helm')], byKey)
    const steps = formatHandOver(handOver, '.', home('.'))
    expect(commandsOf(steps, 1).split('\n').slice(0, 3)).toEqual([
      '# Step 1: keep Flux from deleting the objects when their files go. The files have it already.',
      '# Check, once Flux applied the commit, and go on only then: each line has disabled below PRUNE.',
      '',
    ])
  })

  it.each<{labels: Readonly<Record<string, string>>; want: string}>([
    {labels: {'app.kubernetes.io/instance': 'a'}, want: 'Prune=false and Delete=false below OPTIONS'},
    {
      labels: {'kustomize.toolkit.fluxcd.io/name': 'a', 'app.kubernetes.io/instance': 'a'},
      want: 'disabled below PRUNE, and Prune=false and Delete=false below OPTIONS',
    },
  ])('say what each line of a check has: $want', ({labels, want}) => {
    const steps = formatHandOver(found(labels), '.', home('.')).split('\n')
    expect(steps.filter(line => line.endsWith(`each line has ${want}.`))).toHaveLength(1)
    expect(steps.filter(line => line.endsWith(`each line has ${want}:`))).toHaveLength(1)
  })

  it('remove all files of a folder', () => {
    const folder = clone()
    const [path, text] = ['helm.yaml', FILES['apps/helm.yaml']]
    writeTree(folder, {[`only/${path}`]: text})
    const root = join(folder, 'only')
    execFileSync('bash', ['-c', `git -C '${root}' add --all && git -C '${root}' commit -qm Add`], {env: ENV})
    const handOver = findHandOver(
      {files: [{path, bytes: Buffer.from(text)}], unread: []},
      [provider('helm')],
      new Map(),
    )
    const steps = formatHandOver(handOver, root, {...home(folder), layout: 'plain'})
    execFileSync('bash', ['-e', '-c', commandsOf(steps, 2)], {env: ENV, stdio: 'pipe'})
    const left = execFileSync('git', ['status', '--short', '--branch'], {cwd: folder, env: ENV}).toString()
    expect(left).toBe('## main...origin/main\n')
    expect(existsSync(join(root, path))).toBe(false)
  })

  it('have no protection where no controller deletes anything', () => {
    const steps = formatHandOver(found({}), '.', {...home('.'), layout: 'plain'})
    expect(steps).toContain('nothing can be pruned')
    expect(steps).not.toContain('PATCH')
    expect(steps).toContain('# Step 2: remove')
  })

  it.each([
    {
      layout: 'flux' as const,
      commands: [
        "sed 's|url: .*|url: https://git.example.org/team/cluster|' packages/flux/start.yaml | kubectl create --filename -",
      ],
    },
    {
      layout: 'argocd' as const,
      commands: [
        'kubectl patch --filename packages/argocd/health.yaml --patch-file packages/argocd/health.yaml',
        'kubectl apply --filename packages/argocd/start.yaml',
      ],
    },
  ])('start $layout without replacing what a cluster has', ({layout, commands}) => {
    const steps = formatHandOver(found({}), '.', {...home('.'), layout}).split('\n')
    expect(steps.filter(line => / \| kubectl |^kubectl (?!crossplane|get)/.test(line))).toEqual(commands)
  })

  it('name each file that was not searched, with the reason', () => {
    const texts = {
      'c/Chart.yaml': 'apiVersion: v2\nname: c\n',
      'c/templates/a.yaml': textOf('helm'),
      't.yaml': textOf('{{ .name }}').replace('spec:', '{{ if }}'),
      'b.yaml': `# {{ }}\n${textOf('sql')}  x: [\n`,
    }
    const searched = {
      files: Object.entries(texts).map(([path, text]) => ({path, bytes: Buffer.from(text)})),
      unread: [{file: 'l.yaml', reason: 'it is a link to a file outside of clusters'}],
    }
    const steps = formatHandOver(findHandOver(searched, [provider('helm')], new Map()), 'clusters', home('.'))
    expect(steps.split('\n').slice(0, 6)).toEqual([
      '# 4 files below clusters were not searched in full. Look for objects of the new tree there:',
      '#   l.yaml: it is a link to a file outside of clusters',
      '#   c/templates/a.yaml: it is a template of a Helm chart',
      '#   t.yaml: it is a template',
      expect.stringMatching(/^# {3}b\.yaml:9: it cannot be read: /),
      '# no file below clusters has a request of the new tree',
    ])
  })

  it('are preceded by few lines about a large repository, and first by the objects that they do not protect', () => {
    const live = {
      ...provider('helm'),
      metadata: {name: 'helm', labels: {'kustomize.toolkit.fluxcd.io/name': 'a'}},
    }
    const byKey = new Map([[objectKey({...live, name: 'helm'}), live]])
    const files = Array.from({length: 40}, (_, index) => ({
      path: `${index}/kustomization.yaml`,
      bytes: Buffer.from(`patches:\n- path: a.yaml\nresources: [../../${index}]\n`),
    }))
    const handOver = findHandOver({files, unread: []}, [provider('helm')], byKey)
    const steps = formatHandOver(handOver, '.', home('.')).split('\n')
    expect(steps.slice(2, 7)).toEqual([
      '#   Provider helm',
      '# 40 files below . were not searched in full. Look for objects of the new tree there:',
      `#   ${[0, 1, 2, 3, 4, 5].map(index => `${index}/kustomization.yaml:1`).join(', ')} and 34 more: kustomize changes objects by patches`,
      '#   0/kustomization.yaml:3: kustomize reads ../../0, which was not read',
      '#   1/kustomization.yaml:3: kustomize reads ../../1, which was not read',
    ])
    expect(steps.slice(23, 26)).toEqual([
      '#   18/kustomization.yaml:3: kustomize reads ../../18, which was not read',
      '#   and 21 more',
      '# no file below . has a request of the new tree',
    ])
  })

  it('name the objects that a controller applies from files elsewhere', () => {
    const live = [
      {...provider('helm'), metadata: {name: 'helm', labels: {'kustomize.toolkit.fluxcd.io/name': 'a'}}},
    ]
    const byKey = new Map(live.map(object => [objectKey({...object, name: 'helm'}), object]))
    const handOver = findHandOver({files: [], unread: []}, [provider('helm')], byKey)
    expect(formatHandOver(handOver, 'overlay', home('.')).split('\n').slice(0, 4)).toEqual([
      '# Flux applies 1 object of the new tree, and no file that was searched below overlay has it.',
      '# The steps do not protect these from pruning. Pass --objects with a folder that has their files, or protect them by hand:',
      '#   Provider helm',
      '# no file below overlay has a request of the new tree',
    ])
  })

  it('reach the cluster of the import, and leave the lines of the patch as they are', () => {
    const text = textOf('helm').replace('metadata:', '# Undo: kubectl delete provider helm\nmetadata:')
    const live = {
      ...provider('helm'),
      metadata: {name: 'helm', labels: {'kustomize.toolkit.fluxcd.io/name': 'a'}},
    }
    const handOver = findHandOver(
      {files: [{path: 'helm.yaml', bytes: Buffer.from(text)}], unread: []},
      [provider('helm')],
      new Map([[objectKey({...live, name: 'helm'}), live]]),
    )
    const argv = ['--context', 'prod', '--kubeconfig=my config', '--objects', '.']
    const steps = formatHandOver(handOver, '.', {...home('.'), argv}).split('\n')
    const reaching = steps.flatMap(
      line => /^(?:sed .* \| )?kubectl (?!crossplane package render)(.*)/.exec(line)?.[1] ?? [],
    )
    expect(
      reaching.map(line => line.replace(/^((?:crossplane package )?\w+) .*?(?= --kubeconfig)/, '$1')),
    ).toEqual(
      ['get', 'apply', 'crossplane package drift', 'get', 'get', 'crossplane package drift'].map(
        name => `${name} --kubeconfig 'my config' --context prod`,
      ),
    )
    expect(steps).toContain(' # Undo: kubectl delete provider helm')
  })

  it('read packages from the mirrors of the import', () => {
    const argv = ['--context', 'prod', '--mirror', 'a.example=b.example', '--mirror=c.example=d.example/e']
    const steps = formatHandOver(found({}), '.', {...home('.'), argv}).split('\n')
    const reading = steps.flatMap(
      line => /^kubectl crossplane package (\w+) .*?( --(?:context|mirror) .*)/.exec(line)?.slice(1) ?? [],
    )
    const flags = ' --mirror a.example=b.example --mirror c.example=d.example/e'
    expect(reading).toEqual(['render', flags, 'drift', ` --context prod${flags}`])
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

it.each([
  {argv: [], want: [expect.stringContaining('# Step 1: ')]},
  {argv: ['--quiet'], want: []},
])('the steps after an import are printed, but not with --quiet: $argv', ({argv, want}) => {
  const written = jest.spyOn(process.stderr, 'write').mockReturnValue(true)
  try {
    showNextSteps({declaration: 'a.yaml', layout: 'flux'}, 'a.lock', undefined, argv)
    expect(written.mock.calls.map(([text]) => text)).toEqual(want)
  } finally {
    written.mockRestore()
  }
})
