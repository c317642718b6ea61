import {Command} from '@oclif/core/command'
import {argument} from '../../cli/flags/argument.js'
import {commonFlags} from '../../cli/flags/global.js'
import {initFlags} from '../../cli/flags/init.js'
import {outcomeOutputFlag} from '../../cli/flags/output.js'
import {initQuery} from '../../cli/options/author/init-query.js'
import {formatJson, show} from '../../cli/output/show.js'
import {imageOutputs, packageSources} from '../../cli/wire.js'
import {initPackage} from '../../pipeline/author/init-package.js'

export default class Init extends Command {
  static override summary = 'Write the first files of a package.'
  static override description = `Makes a .registry/ in which package lint finds nothing, to be filled from there. Overwrites no file.

--from-crds takes the CRDs of a folder with it, such as config/crd of a kubebuilder project, whose config/manager then \
says which image the controller runs.`

  static override examples = [
    {
      description: 'Begin a package in a new folder',
      command: '<%= config.bin %> <%= command.id %> my-provider --title "My Provider" --scope Cluster',
    },
    {
      description: 'Make a package of a kubebuilder project',
      command: '<%= config.bin %> <%= command.id %> . --from-crds config/crd',
    },
  ]

  static override args = {
    dir: argument({default: '.', description: 'The folder that is to hold .registry/.'}),
  }

  static override flags = {...initFlags, ...outcomeOutputFlag, ...commonFlags}

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(Init)
    const outputs = await imageOutputs()
    const written = await initPackage(initQuery(args.dir, flags), outputs.folder(args.dir), packageSources)
    if (flags.output === 'json') await show(formatJson({kind: 'InitReport', folder: args.dir, written}))
    else await show(written.map(path => `${path}\n`).join(''))
  }
}
