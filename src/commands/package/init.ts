import {join} from 'node:path'
import {Command} from '@oclif/core/command'
import {argument} from '../../cli/shell/flags/argument.js'
import {commonFlags} from '../../cli/shell/flags/common-flags.js'
import {initFlags} from '../../cli/author/init-flags.js'
import {reportOutputFlag} from '../../cli/shell/flags/output-flags.js'
import {initQuery} from '../../cli/author/init-query.js'
import {isQuietRun} from '../../cli/shell/flags/quiet-run.js'
import {formatDocument, show, showNotes} from '../../cli/shell/document/show.js'
import {imageOutputs, packageSources} from '../../cli/wire.js'
import {initPackage} from '../../pipeline/author/init-package.js'

export default class Init extends Command {
  static override summary = 'Create a package'
  static override description = `Creates a .registry/ folder that passes package lint. Existing files are not overwritten.

--from-crds adds the CRDs of a folder, such as config/crd of a kubebuilder project, and takes image, arguments, probes \
and resources of the controller from config/manager. When the CRDs have changed, run it again with --update.

--service writes service.yaml, the schema of a managed service, and from it the CRDs of the managed resource, its class \
and its provider, and examples. To add a field, change service.yaml and run the command again with --update alone. \
--runner typescript adds the program that serves them: a project with the library kubectl-crossplane-services; complete its \
src/external.ts.

--xpkg creates a first Provider, Configuration or Function for a current Crossplane instead, with a crossplane.yaml.`

  static mostUsed = [
    'xpkg',
    'name',
    'scope',
    'from-crds',
    'service',
    'group',
    'claim',
    'runner',
    'update',
    'output',
  ]

  static override examples = [
    {
      description: 'Create a package in a new folder',
      command: '<%= config.bin %> <%= command.id %> my-provider --title "My Provider" --scope Cluster',
    },
    {
      description: 'Create a package from a kubebuilder project',
      command: '<%= config.bin %> <%= command.id %> . --from-crds config/crd',
    },
    {
      description: 'Create the package of a managed service',
      command:
        '<%= config.bin %> <%= command.id %> my-provider --service FavoriteDatabase --group databases.example.org --claim MySQLInstance.database.crossplane.io/v1alpha1',
    },
    {
      description: 'The same with the program that serves it',
      command:
        '<%= config.bin %> <%= command.id %> my-provider --service FavoriteDatabase --group databases.example.org --claim MySQLInstance.database.crossplane.io/v1alpha1 --runner typescript',
    },
    {
      description: 'Create a Configuration for a current Crossplane',
      command: '<%= config.bin %> <%= command.id %> my-configuration --xpkg configuration',
    },
    {
      description: 'Replace the CRDs of the package with the CRDs of the project',
      command: '<%= config.bin %> <%= command.id %> . --from-crds config/crd --update',
    },
  ]

  static override args = {
    dir: argument({default: '.', description: 'Folder in which the package is created'}),
  }

  static override flags = {...initFlags, ...reportOutputFlag, ...commonFlags}

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(Init)
    const outputs = await imageOutputs()
    const folder = outputs.folder(args.dir)
    const {writtenPaths: files, notes} = await initPackage(
      initQuery(args.dir, flags, this.config.version),
      folder,
      packageSources,
    )
    showNotes(notes, this.argv)
    if (files.length === 0 && !isQuietRun(this.argv)) process.stderr.write('nothing to change\n')
    if (flags.output === 'text') await show(files.map(path => `${join(args.dir, path)}\n`).join(''))
    else
      await show(formatDocument({kind: 'InitReport', folder: args.dir, written: files, notes}, flags.output))
  }
}
