const HELM = 'helm.sh/helm/v3'
const JSON_SCHEMA = 'github.com/santhosh-tekuri/jsonschema/v6'
const KUBE_OPENAPI = 'k8s.io/kube-openapi'
const KUSTOMIZE = 'sigs.k8s.io/kustomize/api'
const KYAML = 'sigs.k8s.io/kustomize/kyaml'
const SWAG = 'github.com/go-openapi/swag'
const DEFINITIONS = 'openapi/kubernetesapi/v1_21_2'

/**
 * Changes one file of a module for the build; the module itself stays as it is. Each text of `replace` occurs as often
 * as its third element says (default: once) in the pinned version, or the build fails.
 *
 * @typedef {object} Edit
 * @property {string} module
 * @property {string} file
 * @property {readonly (readonly [string, string] | readonly [string, string, number])[]} [replace]
 * @property {readonly [string, string]} [cut] two texts; what is between them, and the first of them, is removed
 */

/** Files of `overlay/` that replace or join files of modules. */
export const FILES = [
  {module: HELM, file: 'pkg/engine/lookup_func.go', by: 'lookup_func.go'},
  {module: HELM, file: 'pkg/chartutil/api_versions.go', by: 'api_versions.go'},
  {module: HELM, file: 'pkg/chartutil/remote_schema.go', by: 'remote_schema.go'},
  {module: KUSTOMIZE, file: 'internal/git/gitrunner.go', by: 'gitrunner.go'},
  {module: KYAML, file: 'openapi/definitions.go', by: 'definitions.go'},
  {module: KYAML, file: `${DEFINITIONS}/swagger.go`, by: 'kubernetes_definitions.go'},
]

/** Where the copy of kyaml has what `definitions/` prints. */
export const DEFINITIONS_FILE = `${KYAML}/${DEFINITIONS}/definitions.txt`

/** Changes of the standard library: it counts the addresses in memory that it prints. @type {readonly Omit<Edit, 'module'>[]} */
export const GO_EDITS = [
  {
    file: 'fmt/print.go',
    replace: [
      [
        'func (p *pp) fmtPointer(',
        '// Addresses counts those that were printed.\nvar Addresses int\n\nfunc (p *pp) fmtPointer(',
      ],
      [
        "\tswitch verb {\n\tcase 'v':\n\t\tif p.fmt.sharpV {\n\t\t\tp.buf.writeByte('(')",
        "\tif u != 0 {\n\t\tAddresses++\n\t}\n\tswitch verb {\n\tcase 'v':\n\t\tif p.fmt.sharpV {\n\t\t\tp.buf.writeByte('(')",
      ],
    ],
  },
]

/** @type {readonly Edit[]} */
export const EDITS = [
  {
    // No clusters; the functions of templates can be changed, and what is rendered observed. Notes are only parsed.
    module: HELM,
    file: 'pkg/engine/engine.go',
    replace: [
      ['\t"k8s.io/client-go/rest"\n', ''],
      ['*rest.Config', 'any', 2],
      ['clientProviderFromConfig{config}', 'config', 2],
      ['\tt.Funcs(funcMap)\n', '\tCustomize(funcMap)\n\tObserve.Functions(funcMap)\n\tt.Funcs(funcMap)\n'],
      [
        '\tkeys := sortTemplates(tpls)\n\n\tfor _, filename',
        '\tkeys := sortTemplates(tpls)\n\n\tdefer func() { Observe.Begin("", nil) }()\n\tfor _, filename',
      ],
      [
        'cleanupParseError(filename, err)\n\t\t}\n',
        'cleanupParseError(filename, err)\n\t\t}\n\t\tObserve.Parsed(filename, r.tpl, t)\n',
      ],
      [
        'if strings.HasPrefix(path.Base(filename), "_") {',
        'if strings.HasPrefix(path.Base(filename), "_") || isNotes(filename) {',
      ],
      [
        '\t\tvar buf strings.Builder\n\t\tif err := t.ExecuteTemplate',
        '\t\tvar buf strings.Builder\n\t\tObserve.Begin(filename, &buf)\n\t\tif err := t.ExecuteTemplate',
      ],
      [
        '\t\terr := t.ExecuteTemplate(&buf, name, data)\n',
        '\t\tObserve.Enter()\n\t\terr := t.ExecuteTemplate(&buf, name, data)\n\t\tObserve.Leave()\n',
      ],
      [
        '\t\tvar buf strings.Builder\n\t\tif err := t.Execute(&buf, vals)',
        '\t\tvar buf strings.Builder\n\t\tObserve.Enter()\n\t\tdefer Observe.Leave()\n\t\tif err := t.Execute(&buf, vals)',
      ],
    ],
  },
  {
    // A list of API versions instead of the Go types of all of Kubernetes.
    module: HELM,
    file: 'pkg/chartutil/capabilities.go',
    replace: [
      ['\t"k8s.io/client-go/kubernetes/scheme"\n', ''],
      ['\tapiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"\n', ''],
      ['\tapiextensionsv1beta1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"\n', ''],
    ],
    cut: ['func allKnownVersions()', ''],
  },
  {
    // Schemas of other addresses are neither fetched nor read.
    module: HELM,
    file: 'pkg/chartutil/jsonschema.go',
    replace: [
      ['\t"crypto/tls"\n', ''],
      ['\t"net/http"\n\n\t"helm.sh/helm/v3/internal/version"\n', ''],
      ['\t"time"\n', ''],
      ['jsonschema.FileLoader{}', 'remoteSchema{}'],
      ['"http":  newHTTPURLLoader()', '"http":  remoteSchema{}'],
      ['"https": newHTTPURLLoader()', '"https": remoteSchema{}'],
    ],
    cut: ['// HTTPURLLoader implements', '// ValidateAgainstSchema checks'],
  },
  {
    // Without net/http, which only names the type of a file that is no archive. Subcharts in the order of their names.
    module: HELM,
    file: 'pkg/chart/loader/archive.go',
    replace: [
      ['\t"net/http"\n', ''],
      ['http.DetectContentType(buffer)', '"unknown"'],
    ],
  },
  {
    module: HELM,
    file: 'pkg/chart/loader/load.go',
    replace: [
      ['\t"log"\n\t"os"\n', '\t"log"\n\t"maps"\n\t"os"\n\t"slices"\n'],
      [
        '\tfor n, files := range subcharts {\n',
        '\tfor _, n := range slices.Sorted(maps.Keys(subcharts)) {\n\t\tfiles := subcharts[n]\n',
      ],
    ],
  },
  {
    // Without the Go types of Kubernetes, which only a field of an installed release needs.
    module: HELM,
    file: 'pkg/release/info.go',
    replace: [
      ['\t"k8s.io/apimachinery/pkg/runtime"\n\n', ''],
      ['[]runtime.Object', '[]any'],
    ],
  },
  {
    // No remote files.
    module: KUSTOMIZE,
    file: 'internal/loader/fileloader.go',
    replace: [
      ['\t"io"\n', ''],
      ['\t"net/http"\n', ''],
      ['\t// Used to load from HTTP\n\thttp *http.Client\n', ''],
      [
        'return fl.httpClientGetContent(path)',
        'return nil, fmt.Errorf("security; %s is a remote file", path)',
      ],
    ],
    cut: ['func (fl *FileLoader) httpClientGetContent', '// Cleanup runs the cleaner.'],
  },
  {
    // Kubernetes' schemas of overlay/definitions.go, each read when it is needed, instead of all from Protocol Buffers.
    module: KYAML,
    file: 'openapi/openapi.go',
    replace: [
      ['\t"path/filepath"\n', ''],
      [
        '\topenapi_v2 "github.com/google/gnostic-models/openapiv2"\n\t"google.golang.org/protobuf/proto"\n',
        '',
      ],
      ['type openapiData struct {\n', 'type openapiData struct {\n\tusesKubernetes bool\n'],
      ['rs, found := globalSchema.schemaByResourceType[t]', 'rs, found := schemaOf(t)'],
      [
        '\tres, _, err := ref.GetPointer().Get(root)\n',
        '\taddReferenced(ref)\n\tres, _, err := ref.GetPointer().Get(root)\n',
      ],
      [
        `\t// parse the swagger, this should never fail
\tassetName := filepath.Join(
\t\t"kubernetesapi",
\t\tstrings.ReplaceAll(version, ".", "_"),
\t\t"swagger.pb")

\tif err := parse(kubernetesapi.OpenAPIMustAsset[version](assetName), Proto); err != nil {
\t\t// this should never happen
\t\tpanic(err)
\t}
`,
        '\tuseKubernetes()\n',
      ],
    ],
    cut: ['\tcase format == Proto:', '\tcase format == JsonOrYaml:'],
  },
  {
    // Without Protocol Buffers, which nothing reads then.
    module: KUBE_OPENAPI,
    file: 'pkg/validation/spec/gnostic.go',
    cut: ['import (', ''],
  },
  {
    // Without net/http, which loads documents that nothing asks for.
    module: SWAG,
    file: 'loading_iface.go',
    cut: ['import (', ''],
  },
  {
    // The schema of a draft of JSON Schema is compiled before the first chart that uses it, not at each start.
    module: JSON_SCHEMA,
    file: 'draft.go',
    replace: [
      ['type Draft struct {\n', 'type Draft struct {\n\tisCompiled bool\n'],
      ['func init() {\n', 'func (d *Draft) compile() {\n'],
      [
        '\tfor _, d := range []*Draft{Draft4, Draft6, Draft7, Draft2019, Draft2020} {\n',
        '\tif !d.isCompiled {\n\t\td.isCompiled = true\n',
      ],
      [
        '\tvocabs := d.activeVocabs(assertVocabs, vocabularies)\n',
        '\td.draft.compile()\n\tvocabs := d.activeVocabs(assertVocabs, vocabularies)\n',
      ],
    ],
  },
]
