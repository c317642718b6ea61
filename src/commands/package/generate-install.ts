import {Command} from '@oclif/core/command'
import {argument} from '../../cli/shell/flags/argument.js'
import {commonFlags} from '../../cli/shell/flags/common-flags.js'
import {objectOutputFlag} from '../../cli/shell/flags/output-flags.js'
import {requestFlags, withSummary} from '../../cli/declaration/request-flags.js'
import {requestParameters} from '../../cli/declaration/request-parameters.js'
import {formatObject, show} from '../../cli/shell/document/show.js'
import {generateInstall} from '../../pipeline/render/generate-install.js'

export default class GenerateInstall extends Command {
  static override summary = 'Print the install request of a package'
  static override description = `Prints only the request object, for a cluster in which the package manager is running. No package is read.`

  static override examples = [
    {
      description: 'Request a package in the namespace of the kubectl context',
      command: '<%= config.bin %> <%= command.id %> crossplane/sample-stack-wordpress:0.1.0 wordpress',
    },
    {
      description: 'Request a package with Cluster scope from another registry',
      command:
        '<%= config.bin %> <%= command.id %> crossplane/provider-gcp:v0.11.0 --scope Cluster --source registry.example.org',
    },
  ]

  static override args = {
    image: argument({required: true, description: 'Package: [HOST/]PATH[:TAG][@DIGEST]'}),
    name: argument({description: "Name of the install (default: the repository's path)"}),
    source: argument({description: 'Same as --source'}),
  }

  static override flags = {
    ...requestFlags,
    scope: withSummary(requestFlags.scope, 'Permission scope of the request (default: Namespaced)'),
    namespace: withSummary(
      requestFlags.namespace,
      'Namespace of the request (default: the namespace of the kubectl context)',
    ),
    ...objectOutputFlag,
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(GenerateInstall)
    const request = generateInstall(flags.api, args.image, requestParameters(flags, args.name, args.source))
    await show(formatObject(request, flags.output))
  }
}
