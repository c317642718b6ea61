import {Command} from '@oclif/core/command'
import {boolean, option, string} from '@oclif/core/flags'
import {
  argument,
  commonFlags,
  CrossplaneError,
  formerly,
  inputFiles,
  packageFlags,
  packagePorts,
  progress,
  pullFlags,
  readOnce,
  show,
  showNotes,
  showWarnings,
} from 'kubectl-crossplane/plugin'
import {capabilitiesOf, capabilityFlags} from '../../capability-flags.js'
import {readCustomResources} from '../../custom-resource.js'
import {withEngine} from '../../engines/start-engine.js'
import {explainAll} from '../../explain/explain-all.js'
import {formatExplanation} from '../../explain/format-explanation.js'
import {readLiveObjects} from '../../live-objects.js'
import {openTemplates} from '../../open-templates.js'
import {renderAll} from '../../render-all.js'
import type {RenderedResource} from '../../render-resource.js'
import {renderedObjects} from '../../rendered-objects.js'
import {FORMATS, formatRendered} from '../../show-rendered.js'
import {writeRendered} from '../../write-rendered.js'

export default class Render extends Command {
  static override summary = 'Print the objects that the templates of a package create'
  static override description = `Reads a package made of templates and custom resources of its kind, and prints the objects that its controller would \
apply for each, in that order. No cluster is needed, and the same input always gives the same bytes.

A custom resource is first treated as by an API server: fields that the CRD does not define are dropped, defaults are added, \
and the result is validated. Objects get the namespace, the labels and the owner that the controller gives them; without \
metadata.uid, as in any file, the owner reference is left out.

Charts are rendered by Helm 3, kustomizations by kustomize and named templates by text/template, which are a part of this \
program. Templates cannot read files outside of the package, and cannot use the network, the time or randomness.`

  static override examples = [
    {
      description: 'Render the example of a package in a folder',
      command: '<%= config.bin %> <%= command.id %> ./my-app --filename my-app/example.yaml',
    },
    {
      description: 'List the objects of a custom resource on standard input',
      command:
        '<%= config.bin %> <%= command.id %> registry.example.org/team/my-app:v0.1.0 -f - -o name < example.yaml',
    },
    {
      description: 'Render for a newer Kubernetes than the default of Helm',
      command: '<%= config.bin %> <%= command.id %> ./my-app -f example.yaml --kube-version v1.36.0',
    },
    {
      description: 'Show what set each field, and which fields of spec nothing reads',
      command: '<%= config.bin %> <%= command.id %> ./my-app -f example.yaml --explain-fields',
    },
    {
      description: 'Render templates that read the objects of an earlier pass',
      command: '<%= config.bin %> <%= command.id %> ./my-app -f example.yaml --state live.yaml',
    },
  ]

  /** The flags that `--help` shows. */
  static mostUsed = ['filename', 'namespace', 'state', 'kube-version', 'explain-fields', 'output', 'packages']

  static override args = {
    ref: argument({
      required: true,
      description:
        'Package: [HOST/]PATH[:TAG][@DIGEST], ./DIR, oci:DIR[:TAG], oci-archive:FILE or docker-archive:FILE',
    }),
  }

  static override flags = {
    filename: string({
      char: 'f',
      required: true,
      multiple: true,
      multipleNonGreedy: true,
      helpGroup: 'TEMPLATE',
      helpValue: 'FILE',
      summary: 'File with custom resources; - is standard input; can be repeated',
    }),
    namespace: string({
      char: 'n',
      helpGroup: 'TEMPLATE',
      helpValue: 'NAME',
      summary: 'Namespace of custom resources without one (default: default)',
    }),
    state: string({
      helpGroup: 'TEMPLATE',
      helpValue: 'FILE',
      summary: 'File with objects that exist, for templates that read them',
    }),
    ...capabilityFlags,
    'output-dir': string({
      exclusive: ['explain-fields'],
      helpGroup: 'OUTPUT',
      helpValue: 'DIR',
      summary: 'Write a file per object to a new or empty folder, instead of printing them',
    }),
    'explain-fields': formerly(
      boolean({
        helpGroup: 'OUTPUT',
        summary:
          'Show what set each field, and the fields of spec that nothing reads, instead of the objects',
      }),
      'explain',
    ),
    ...packageFlags,
    ...pullFlags,
    output: option({
      char: 'o',
      options: FORMATS,
      default: 'yaml',
      helpGroup: 'OUTPUT',
      summary: 'Output format',
    })(),
    ...commonFlags,
  }

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(Render)
    const shown = progress(this.argv)
    const query = {
      reference: args.ref,
      asPackage: flags['as-package'],
      capabilities: capabilitiesOf(flags),
      live: flags.state === undefined ? [] : readLiveObjects(await inputFiles.read(flags.state, '--state')),
    }
    const opened = await openTemplates(query, readOnce(await packagePorts(flags, shown))).finally(shown.end)
    const files = await Promise.all(flags.filename.map(async name => await inputFiles.read(name, '-f')))
    const read = readCustomResources(files, opened.kinds, flags.namespace)
    showWarnings({warnings: [...opened.warnings, ...read.warnings]}, this.argv)
    showNotes([...opened.notes, ...read.notes], this.argv)
    if (flags['explain-fields']) {
      const explained = await withEngine(engine => explainAll(opened.templates, read.resources, engine))
      return await show(formatExplanation(explained))
    }
    const rendered = await withEngine(engine => renderAll(opened.templates, read.resources, engine))
    for (const {warnings, notes} of rendered) {
      showWarnings({warnings}, this.argv)
      showNotes(notes, this.argv)
    }
    const objects = rendered.flatMap(renderedObjects)
    const folder = flags['output-dir']
    if (folder === undefined) await show(formatRendered(objects, flags.output))
    else process.stderr.write(`${folder}: ${await writeRendered(objects, folder)} written\n`)
    expectWhole(rendered)
  }
}

/** Throws `package-invalid` if a template failed: the objects of the others are printed. */
function expectWhole(rendered: readonly RenderedResource[]): void {
  const failures = rendered.flatMap(each => each.failures)
  if (failures.length === 0) return
  throw new CrossplaneError(
    'package-invalid',
    'cannot render all templates: the objects of the others are printed',
    {
      diagnostics: failures,
    },
  )
}
