import {dirname, resolve} from 'node:path'
import {Command} from '@oclif/core/command'
import {checkFlags} from '../../cli/flags/check.js'
import {commonFlags} from '../../cli/flags/global.js'
import {checkOutputFlag} from '../../cli/flags/output.js'
import {FOUND} from '../../cli/exit-code.js'
import {checkPlace, checkQuery, renderCommand} from '../../cli/options/check-query.js'
import {writtenFlags} from '../../cli/options/written-flags.js'
import {progress} from '../../cli/output/progress/progress.js'
import {showDrift} from '../../cli/output/installs/show-drift.js'
import {declaredOutput} from '../../cli/ports/declared-output.js'
import {requestPorts} from '../../cli/ports/package-ports.js'
import {folderListing, outputFolder, repositoryPaths} from '../../cli/wire.js'
import {checkFolder, checkHashes} from '../../pipeline/check-folder.js'

export default class Check extends Command {
  static override summary = 'Compare rendered files with their declaration'
  static override description = `Renders the declaration again with the versions of its lock file, and compares the result with a folder of rendered files, \
byte by byte. Prints edited, outdated, missing and extra files with their differences, and a write that was interrupted. \
Nothing is changed, and no cluster is needed.

With --hashes, files are only compared with the list of hashes that was written with them.

Exits with 0 if nothing differs, with 1 if something differs, and with 7 if the comparison failed, for example because the \
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

  /** The flags that `-h` shows. */
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
    const check = flags.hashes
      ? checkHashes(checked)
      : checkFolder(checkQuery(place, flags), checked, requestPorts(sources, shown))
    const result = await check.finally(shown.end)
    if (await showDrift(result, folder, flags.output, this.argv)) this.exit(FOUND)
  }
}
