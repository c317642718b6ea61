import {dirname, resolve} from 'node:path'
import {Command} from '@oclif/core/command'
import {checkFlags} from '../../cli/check/check-flags.js'
import {commonFlags} from '../../cli/shell/flags/common-flags.js'
import {checkOutputFlag} from '../../cli/shell/flags/output-flags.js'
import {FOUND} from '../../cli/shell/exit-code.js'
import {type CheckPlace, checkPlace, checkQuery, renderCommand} from '../../cli/check/check-query.js'
import {writtenFlags} from '../../cli/shell/flags/written-flags.js'
import {progress} from '../../cli/shell/progress/progress.js'
import {showDrift} from '../../cli/check/show-drift.js'
import type {JudgedObjects} from '../../cli/compare/checked-impact.js'
import type {RequestPorts} from '../../pipeline/request/read-request.js'
import {declaredOutput, declaresObjects, noteOfBase} from '../../cli/git/declared-output.js'
import {requestPorts} from '../../cli/packages/package-ports.js'
import {folderListing, outputFolder, repositoryPaths} from '../../cli/wire.js'
import {checkFolder, checkHashes} from '../../pipeline/drift/check-folder.js'

/** Judges what the lock does to the objects that the declaration names. */
async function judgedImpact(
  place: CheckPlace,
  flags: Parameters<typeof checkQuery>[1],
  ports: RequestPorts,
): Promise<JudgedObjects> {
  const {declaration} = place
  if (declaration === undefined || flags.hashes) return {}
  if (flags.since === undefined && !(await declaresObjects(declaration))) return {}
  // Loaded here: few declarations name objects.
  const {judgedObjects} = await import('../../cli/compare/checked-impact.js')
  return await judgedObjects(checkQuery(place, flags), flags, ports)
}

export default class Check extends Command {
  static override summary = 'Compare rendered files with their declaration'
  static override description = `Renders the declaration again with the versions of its lock file, and compares the result with a folder of rendered files, \
byte by byte. Prints edited, outdated, missing and extra files with their differences, and a write that was interrupted. \
Nothing is changed, and no cluster is needed.

With --hashes, files are only compared with the list of hashes that was written with them.

Where the declaration has usage.objects, the lock file is compared with that of the merge base with --since, or with the branch that CI names: objects that break, lose fields or are no longer served \
are reported, unless the lock file accepts this (--accept-impact of package upgrade and package lock).

Exits with 0 if nothing differs, with 1 if something differs or an object breaks, loses fields or is no longer served, and with 7 if the comparison failed, for example because the \
lock file was written by a release that renders differently.`

  static override examples = [
    {
      description: 'Check the rendered files of a Git repository',
      command: '<%= config.bin %> <%= command.id %> --git .',
    },
    {
      description: 'Check a folder of rendered files',
      command:
        '<%= config.bin %> <%= command.id %> --output-dir ./deploy --declaration crossplane-packages.yaml --packages ./packages',
    },
    {
      description: 'Check that no file was edited, without reading packages',
      command: '<%= config.bin %> <%= command.id %> --output-dir ./deploy --hashes',
    },
  ]

  /** The flags that `--help` shows. */
  static isCheck = true
  static mostUsed = ['output-dir', 'git', 'path', 'hashes', 'declaration', 'packages', 'output', 'quiet']

  static override flags = {...checkFlags, ...checkOutputFlag, ...commonFlags}

  override async run(): Promise<void> {
    const {flags, raw} = await this.parse(Check)
    // As when it was rendered for a repository: the variable of the flag has no effect.
    const isGiven = writtenFlags(raw).has('default-source')
    const sources = isGiven ? flags : {...flags, 'default-source': undefined}
    const place = await checkPlace(flags, declaredOutput)
    const {folder, declaration} = place
    const hasDeclaration = declaration !== undefined && resolve(dirname(declaration)) === resolve(folder)
    const opened = await outputFolder(folder)
    const checked = {
      folder: opened,
      list: () => folderListing(folder),
      path: async () => (await repositoryPaths.pathOf(folder)) ?? '',
      hasDeclaration,
      remedy: renderCommand(place, sources),
    }
    const shown = progress(this.argv)
    const ports = requestPorts(sources, shown)
    const result = flags.hashes
      ? await checkHashes(checked).finally(shown.end)
      : await checkFolder(checkQuery(place, flags), checked, ports).finally(shown.end)
    const judged = await judgedImpact(place, flags, ports).finally(shown.end)
    const notes = flags.hashes ? [] : await noteOfBase(declaration)
    const noted = {...result, notes: [...notes, ...result.notes]}
    const isFound = await showDrift(noted, folder, flags.output, this.argv, judged.shown)
    // What differs is shown, also if objects cannot be judged.
    if (judged.failure !== undefined) throw judged.failure
    if (isFound) this.exit(FOUND)
  }
}
