import {dirname, join, relative} from 'node:path'
import {OUTPUT_FOLDER} from '../../declaration/output-folder.js'
import {grouped} from '../../grouped.js'
import {objectKey} from '../../kubernetes/object-key.js'
import type {ObjectName} from '../../kubernetes/object-name.js'
import {FLUX_PRUNE} from '../../kubernetes/controller-annotations.js'
import {ARGOCD_HEALTH, ARGOCD_START, FLUX_START} from '../../plan/folder/tree-guard.js'
import type {Controller, HandedOverFile, HandOver} from '../../plan/git/hand-over.js'
import {commandLine, count, listAll, listSome, plural, shellWord} from '../../text.js'
import type {FlagValues} from '../shell/flags/flag-values.js'
import type {newTreeFlags} from '../render/tree-flags.js'
import {lockPath} from '../declaration/lock-query.js'
import {isQuietRun} from '../shell/flags/quiet-run.js'
import {onCluster} from '../shell/document/on-cluster.js'
import {lines} from '../shell/text/lines.js'
import {plainText} from '../shell/text/plain-text.js'
import {unifiedDiff} from '../shell/text/unified-diff.js'

/** Where the files of a home are, as the commands of a hand-over name them. */
interface HomeFolders {
  readonly declaration: string
  readonly lockFile: string
  /** The folder of the rendered tree. */
  readonly tree: string
  readonly layout: 'plain' | 'flux' | 'argocd'
  /** The words of the import, for the cluster that the commands act on. */
  readonly argv: readonly string[]
}

const CONTROLLERS = {flux: 'Flux', argocd: 'Argo CD'} as const

/** Prints, to standard error, the steps that follow an import for which a layout or a folder of objects was given. */
export function showNextSteps(
  {
    declaration,
    layout,
    objects,
  }: Pick<FlagValues<typeof newTreeFlags>, 'layout' | 'objects'> & {
    readonly declaration: string
  },
  lockFile: string,
  handOver: HandOver | undefined,
  argv: readonly string[],
): void {
  if (isQuietRun(argv) || (layout === undefined && objects === undefined)) return
  const tree = join(dirname(declaration), OUTPUT_FOLDER)
  const home = {declaration, lockFile, tree, layout: layout ?? 'plain', argv} as const
  const steps =
    handOver === undefined ? lines(treeSteps(home, 1)) : formatHandOver(handOver, objects ?? '.', home)
  process.stderr.write(`\n${steps}`)
}

/**
 * Returns the steps by which a new tree takes objects over from the files that apply them now, so that no controller deletes one
 * in between; each step with its check.
 * @param root - the folder of these files.
 */
export function formatHandOver(handOver: HandOver, root: string, home: HomeFolders): string {
  const {files, unread} = handOver
  const skipped = [...elsewhereLines(handOver, root), ...skippedLines(unread, root)]
  if (files.length === 0)
    return lines([...skipped, `# no file below ${root} has a request of the new tree`, ...treeSteps(home, 1)])
  const total = files.flatMap(file => file.objects).length
  const protects = handOver.controllers.length > 0
  return lines([
    ...skipped,
    `# ${count(total, 'object')} of the new tree ${plural(total, 'is', 'are')} in ${count(files.length, 'file')} below ${root}. Nothing was changed there: these are the steps.`,
    ...(protects ? protectSteps(handOver, root, home) : [NO_CONTROLLER]),
    ...treeSteps(home, protects ? 2 : 1, handOver.controllers),
    ...removeSteps(handOver, root, home, protects ? 3 : 2),
  ])
}

/** Reasons that each have a line. */
const MAX_REASONS = 20

/** An object in there is pruned, if no one looks. */
function skippedLines(unread: HandOver['unread'], root: string): readonly string[] {
  if (unread.length === 0) return []
  const total = new Set(unread.map(({file}) => file)).size
  const reasons = [...grouped(unread, ({reason}) => reason)]
  const more = reasons.length - MAX_REASONS
  return [
    `# ${count(total, 'file')} below ${root} ${plural(total, 'was', 'were')} not searched in full. Look for objects of the new tree there:`,
    ...reasons.slice(0, MAX_REASONS).map(([reason, all]) => {
      const places = all.map(({file, line}) => (line === undefined ? file : `${file}:${line}`))
      return `#   ${plainText(`${listSome(places)}: ${reason}`)}`
    }),
    ...(more > 0 ? [`#   and ${more} more`] : []),
  ]
}

/** They would be deleted with their files, which no step protects. */
function elsewhereLines({elsewhere, controllers}: HandOver, root: string): readonly string[] {
  if (elsewhere.length === 0) return []
  const names = listAll(controllers.map(name => CONTROLLERS[name]))
  return [
    `# ${names} ${plural(controllers.length, 'applies', 'apply')} ${count(elsewhere.length, 'object')} of the new tree, and no file that was searched below ${root} has ${plural(elsewhere.length, 'it', 'them')}.`,
    '# The steps do not protect these from pruning. Pass --objects with a folder that has their files, or protect them by hand:',
    ...elsewhere.map(({kind, name}) => `#   ${plainText(`${kind} ${name}`)}`),
  ]
}

const NO_CONTROLLER = '# Neither Flux nor Argo CD applies them now, so nothing can be pruned.'

function protectSteps(
  {files, controllers}: HandOver,
  root: string,
  {argv}: Pick<HomeFolders, 'argv'>,
): readonly string[] {
  const names = listAll(controllers.map(name => CONTROLLERS[name]))
  const byHand = files.filter(file => file.protected === undefined)
  const diff = files.flatMap(({path, before, protected: after}) =>
    after === undefined ? [] : unifiedDiff({path, before, after}),
  )
  const others = byHand.length < files.length ? ['# The other files have it.'] : []
  const isDone = files.every(file => file.protected === file.before)
  const changes = isDone
    ? []
    : [
        ...byHand.map(
          ({path}) =>
            `# ${path} cannot be changed by lines: add ${annotationsOf(controllers)} to the metadata of its objects by hand.`,
        ),
        ...(diff.length === 0
          ? others
          : [`${command(['git', '-C', root, 'apply'])} <<'END_OF_PATCH'`, ...diff, 'END_OF_PATCH']),
        command(['git', '-C', root, 'add', '--', ...files.map(({path}) => path)]),
        ...commitCommands(root, 'Keep Crossplane packages from pruning'),
      ]
  return [
    `# Step 1: keep ${names} from deleting the objects when their files go. ${isDone ? 'The files have it already.' : 'Commit this change, and push it:'}`,
    ...changes,
    `# Check, once ${names} applied the commit, and go on only then: ${protectedLines(controllers)}.`,
    ...protectionChecks(files, controllers, argv),
  ]
}

function annotationsOf(controllers: readonly Controller[]): string {
  return listAll(
    controllers.map(name =>
      name === 'flux'
        ? `${FLUX_PRUNE}: disabled`
        : 'argocd.argoproj.io/sync-options: Prune=false,Delete=false',
    ),
  )
}

/** Sync options of another kind are no protection, so that the column has to be read. */
function protectedLines(controllers: readonly Controller[]): string {
  const columns = controllers.map(name =>
    name === 'flux' ? 'disabled below PRUNE' : 'Prune=false and Delete=false below OPTIONS',
  )
  return `each line has ${columns.join(', and ')}`
}

const COLUMNS: Readonly<Record<Controller, string>> = {
  flux: String.raw`PRUNE:.metadata.annotations.kustomize\.toolkit\.fluxcd\.io/prune`,
  argocd: String.raw`OPTIONS:.metadata.annotations.argocd\.argoproj\.io/sync-options`,
}

function protectionChecks(
  files: readonly HandedOverFile[],
  controllers: readonly Controller[],
  argv: readonly string[],
): readonly string[] {
  return [
    getCommand(
      files,
      controllers.map(name => COLUMNS[name]),
      argv,
    ),
  ]
}

function getCommand(
  files: readonly HandedOverFile[],
  columns: readonly string[],
  argv: readonly string[],
): string {
  const names = [
    ...new Map(files.flatMap(({objects}) => objects.map(({name}) => [objectKey(name), name]))).values(),
  ]
  const output = ['KIND:.kind', 'NAME:.metadata.name', ...columns].join(',')
  const words = ['kubectl', 'get', ...names.map(resourceOf), '--output', `custom-columns=${output}`]
  return onCluster(command(words), argv)
}

function resourceOf({apiVersion, kind, name}: ObjectName): string {
  return `${kind.toLowerCase()}.${apiVersion.replace(/\/.*$/, '')}/${name}`
}

function command(words: readonly string[]): string {
  return words.map(shellWord).join(' ')
}

function commitCommands(root: string, message: string): readonly string[] {
  return [command(['git', '-C', root, 'commit', '--message', message]), command(['git', '-C', root, 'push'])]
}

/** @param former - the controllers that apply the objects until the last step. */
function treeSteps(home: HomeFolders, step: number, former: readonly Controller[] = []): readonly string[] {
  const {declaration, lockFile, tree, argv} = home
  const folder = dirname(declaration)
  const inFolder = (path: string) => relative(folder, path)
  return [
    `# Step ${step}: render the new tree, commit it with the declaration and the lock, and push it:`,
    onCluster(commandLine(['package', 'render', ...homeFiles(home), '--output-dir', tree]), argv),
    command(['git', '-C', folder, 'add', ...[declaration, lockFile, tree].map(inFolder)]),
    ...commitCommands(folder, 'Add the packages of the cluster'),
    ...startCommands(home, former),
    former.length === 0
      ? '# Check, once it is applied: nothing differs.'
      : '# Check, once it is applied: the cluster has all objects. Settings can differ until the next step, because the former files are applied as well.',
    driftCommand(home),
  ]
}

function homeFiles({declaration, lockFile}: HomeFolders): readonly string[] {
  const isBeside = relative(lockPath({declaration}), lockFile) === ''
  return ['--declaration', declaration, ...(isBeside ? [] : ['--lock-file', lockFile])]
}

function driftCommand(home: HomeFolders): string {
  return onCluster(commandLine(['package', 'drift', ...homeFiles(home)]), home.argv)
}

function startCommands({tree, layout, argv}: HomeFolders, former: readonly Controller[]): readonly string[] {
  const kubectl = (...words: readonly string[]) => onCluster(command(['kubectl', ...words]), argv)
  if (layout === 'plain') return ['# Apply it:', kubectl('apply', '--server-side', '--kustomize', tree)]
  const health = `${tree}/${ARGOCD_HEALTH}`
  if (layout === 'argocd')
    return [
      '# Add the health checks to Argo CD. kubectl apply would remove its other settings:',
      kubectl('patch', '--filename', health, '--patch-file', health),
      '# Start Argo CD:',
      kubectl('apply', '--filename', `${tree}/${ARGOCD_START}`),
    ]
  const from = (edit: string, verb: 'apply' | 'create') =>
    `${command(['sed', edit, `${tree}/${FLUX_START}`])} | ${kubectl(verb, '--filename', '-')}`
  return former.includes('flux')
    ? [
        '# Start Flux on it. The cluster has a GitRepository: where it is not flux-system, set flux.source in the declaration before.',
        from('1,/^---$/d', 'apply'),
      ]
    : [
        // A create cannot replace the source of a cluster, as an apply could.
        '# Start Flux on it, with the URL of the repository in place of this one. If the cluster has a GitRepository flux-system, for example after flux bootstrap,',
        '# kubectl creates only the Kustomization. If that GitRepository is of another repository, set flux.source in the declaration to a new name before:',
        from('s|url: .*|url: https://git.example.org/team/cluster|', 'create'),
      ]
}

function removeSteps(
  {files, controllers, listed}: HandOver,
  root: string,
  home: HomeFolders,
  step: number,
): readonly string[] {
  const {argv} = home
  const whole = files.filter(({hasOthers}) => !hasOthers).map(({path}) => path)
  const parts = files.filter(({hasOthers}) => hasOthers)
  const changed = [...files.map(({path}) => path), ...listed.map(({kustomization}) => kustomization)]
  return [
    `# Step ${step}: remove the objects from their former files, and the files from the lists of kustomization.yaml.${controllers.length === 0 ? '' : ` Before that, the check of step 1 must hold, ${protectedLines(controllers)}:`}`,
    ...(controllers.length === 0 ? [] : protectionChecks(files, controllers, argv)),
    ...(whole.length === 0 ? [] : [command(['rm', '--', ...whole.map(path => join(root, path))])]),
    ...parts.flatMap(({path, objects}) =>
      objects.map(
        ({name, line}) =>
          `# ${path}:${line}: remove ${name.kind} ${name.name} by hand, the file has other objects.`,
      ),
    ),
    ...listed.map(
      ({kustomization, line, field, source}) =>
        `# ${plainText(`${kustomization}:${line}: remove ${source} from ${field} by hand, or the folder cannot be built.`)}`,
    ),
    // Unlike rm of Git, this leaves a folder for the next commands.
    command(['git', '-C', root, 'add', '--update', '--', ...new Set(changed)]),
    ...commitCommands(root, 'Remove the former files of Crossplane packages'),
    '# Check, before and after: each object is still there, with the same UID.',
    getCommand(files, ['UID:.metadata.uid'], argv),
    ...(controllers.length === 0
      ? []
      : ['# Check, once that is applied: nothing differs.', driftCommand(home), ...FORMER]),
  ]
}

const FORMER = [
  '# What applied a folder that is empty now cannot find it: delete its Kustomization or Application. The objects stay, they are protected.',
]
