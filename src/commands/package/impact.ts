import {Command} from '@oclif/core/command'
import type {ClusterFlags} from '../../cli/cluster/cluster-connection.js'
import {argument} from '../../cli/shell/flags/argument.js'
import {FOUND} from '../../cli/shell/exit-code.js'
import {commonFlags} from '../../cli/shell/flags/common-flags.js'
import {impactFlags} from '../../cli/compare/impact-flags.js'
import {impactSides, objectPaths} from '../../cli/compare/impact-query.js'
import {writtenFlags} from '../../cli/shell/flags/written-flags.js'
import {showNotes} from '../../cli/shell/document/show.js'
import {showImpact} from '../../cli/compare/show-impact.js'
import {progress} from '../../cli/shell/progress/progress.js'
import {objectFiles, usagePorts, warningsOfEmpty} from '../../cli/files/object-files.js'
import {surfacePorts} from '../../cli/packages/package-ports.js'
import type {Progress} from '../../cli/shell/progress/step-event.js'
import type {Diagnostic} from '../../diagnostic.js'
import type {LiveObjects} from '../../pipeline/impact/live-usage.js'
import {expectJudged} from '../../pipeline/impact/compare-packages.js'
import {isFailed, packageImpact} from '../../pipeline/impact/package-impact.js'

/** Opens the cluster whose objects are judged. */
async function liveObjects(
  flags: ClusterFlags,
  version: string,
  shown: Progress,
): Promise<{readonly live?: LiveObjects}> {
  const {context} = flags
  if (context === undefined) return {}
  // Loaded here: most impacts are those of files.
  const {openCluster} = await import('../../cli/cluster/cluster-ports.js')
  const {api} = await openCluster(flags, version, shown)
  return {live: {context, api}}
}

function omittedWarning(omitted: number): readonly Diagnostic[] {
  if (omitted === 0) return []
  const message = `${omitted} effects on objects of the cluster are counted, but not listed`
  return [{severity: 'warning', rule: 'effects-omitted', message}]
}

export default class Impact extends Command {
  static override summary = 'Judge what other versions of packages do to your objects'
  static override description = `Reads objects from files, and judges each one by the schemas of two versions of packages, as the API server would: objects that are rejected, \
fields that are dropped, kinds and versions that are no longer served, defaults and rules that change. By default, the lock file is compared with what \
"package upgrade" with the same packages would select, dependencies included. No cluster is needed.

With --context, the objects of a cluster are judged as well, of all kinds that change.

Files of rendered trees are left out. Templates, patches of kustomize, and steps of Compositions other than patches and transforms are not judged, and are listed.

Exits with 0 if no object has a verdict of --fail-on, with 1 if one has, and with 7 if a file or a package could not be read.`

  static override examples = [
    {
      description: 'Judge the upgrade of a package of the declaration to a version',
      command: '<%= config.bin %> <%= command.id %> example/my-provider:v0.2.0 --packages ./packages',
    },
    {
      description: 'Judge the objects of a folder before two versions of a package are exchanged',
      command:
        '<%= config.bin %> <%= command.id %> --old registry.example.org/team/provider:v0.1.0 --new registry.example.org/team/provider:v0.2.0 --objects ./clusters',
    },
    {
      description: 'Judge rendered objects before an upgrade of the lock file',
      command: 'kubectl kustomize | <%= config.bin %> <%= command.id %> --objects -',
    },
  ]

  /** The flags that `--help` shows. */
  static isCheck = true
  static mostUsed = ['objects', 'old', 'new', 'fail-on', 'max-unread', 'output', 'packages', 'offline']

  static override strict = false

  static override args = {
    package: argument({
      description:
        'Package of the declaration to upgrade, as REPOSITORY, REPOSITORY:TAG or NAME; can be repeated (default: all)',
    }),
  }

  static override flags = {...impactFlags, ...commonFlags}

  override async run(): Promise<void> {
    const {argv, flags, raw} = await this.parse(Impact)
    const sides = impactSides(argv.map(String), flags, writtenFlags(raw))
    const shown = progress(this.argv)
    const ports = surfacePorts(flags, shown, this.config.version)
    const objects = await objectFiles(await objectPaths(flags, ports))
    const query = {...sides, ...objects, ...(await liveObjects(flags, this.config.version, shown))}
    const {impact, failures} = await packageImpact(query, ports, await usagePorts.judge()).finally(shown.end)
    showNotes([...warningsOfEmpty(failures.empty), ...omittedWarning(failures.omitted)], this.argv)
    const {output, 'fail-on': failOn, 'max-unread': maxUnread} = flags
    await showImpact(impact, {output, failOn}, this.argv)
    expectJudged(failures.unreadable, {unread: impact.unreadCrds})
    if (isFailed(impact, {failOn, maxUnread})) this.exit(FOUND)
  }
}
