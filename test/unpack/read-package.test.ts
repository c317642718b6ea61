import {describe, expect, it} from '@jest/globals'
import {join} from 'node:path'
import type {CrdMetadata, Package} from '../../src/unpack/package.js'
import {readPackage} from '../../src/unpack/read-package.js'
import {registryFilesIn} from '../corpus.js'
import {APP, changed, CRD, type Files, registryFiles} from './malformed-case.js'

const observatory = join(import.meta.dirname, '../testdata/packages/full-observatory/.registry')
const base64 = (text: string | Uint8Array) => Buffer.from(text).toString('base64')

const ASTRONOMY = {title: 'Astronomy', category: 'Science', readme: '', overview: '', overviewShort: ''}
const SVG = 'image/svg+xml'
const TOP_ICON = {base64Data: base64('<svg xmlns="http://www.w3.org/2000/svg"/>\n'), mediatype: SVG}

const app: Package['app'] = {
  title: 'Observatory',
  overviewShort: 'Telescopes as resources.',
  overview: 'Point telescopes, open domes.\n',
  readme: '# Observatory\n\nInstall it where the sky is dark.\n',
  version: '2.3.0',
  icons: [{base64Data: 'R0lGODdh', mediatype: 'image/gif'}],
  maintainers: [{name: 'Vera', email: 'vera@example.org'}],
  owners: [{name: 'Edwin'}],
  company: 'Example Sky Survey',
  category: 'Science',
  keywords: ['telescope', 'dome'],
  website: 'https://example.org/observatory',
  source: 'https://example.org/observatory.git',
  license: 'Apache-2.0',
  dependsOn: [
    {crd: 'clocks.time.example.org/v1'},
    {crd: '*.weather.example.org'},
    {
      imagePullSecrets: [{name: 'station'}],
      imagePullPolicy: 'Always',
      serviceAccount: {annotations: {'example.org/role': 'reader'}},
      source: 'registry.example.org',
      package: 'example/weather-station',
    },
  ],
  packageType: 'Provider',
  permissionScope: 'Cluster',
}

const telescope: Package['crds'][number] = {
  file: '.registry/optics/telescope/v1beta1/telescopes.crd.yaml',
  object: {
    apiVersion: 'apiextensions.k8s.io/v1beta1',
    kind: 'CustomResourceDefinition',
    metadata: {name: 'telescopes.optics.example.org', annotations: {revision: '7'}},
    spec: {
      additionalPrinterColumns: [{JSONPath: '.spec.aperture', name: 'APERTURE', type: 'integer'}],
      group: 'optics.example.org',
      names: {kind: 'Telescope', listKind: 'TelescopeList', plural: 'telescopes', singular: 'telescope'},
      scope: 'Namespaced',
      subresources: {status: {}},
      validation: {
        openAPIV3Schema: {
          type: 'object',
          properties: {
            spec: {
              type: 'object',
              properties: {aperture: {type: 'integer', minimum: 1, description: 'In millimetres.'}},
            },
          },
        },
      },
      version: 'v1beta1',
      versions: [
        {name: 'v1beta1', served: true, storage: true},
        {name: 'v1alpha1', served: false, storage: false},
      ],
    },
  },
  definition: {
    name: 'telescopes.optics.example.org',
    group: 'optics.example.org',
    kind: 'Telescope',
    plural: 'telescopes',
    version: 'v1beta1',
    versions: ['v1beta1', 'v1alpha1'],
    subresources: {status: true, scale: false},
  },
  metadata: {
    group: {
      title: 'Optics',
      category: '1609',
      readme: 'Handle with care.',
      overview: 'Mirrors and lenses.',
      overviewShort: 'Everything with a mirror.',
    },
    resource: {
      title: 'Telescope',
      titlePlural: 'Telescopes',
      category: 'Instruments',
      readme: 'Do not look at the sun.',
      overview: 'Looks up at night.',
      overviewShort: 'Looks up.',
    },
    icon: {base64Data: base64(new Uint8Array([0xff, 0xd8, 0xff])), mediatype: 'image/jpeg'},
    uiSchemas: ['top: true', 'section: optics', 'fields: [aperture]'],
  },
}

const dome: Package['crds'][number] = {
  file: '.registry/sites/dome/crd.yaml',
  object: {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: 'domes.sites.example.org', labels: {'example.org/kind': 'building'}},
    spec: {
      group: 'sites.example.org',
      names: {kind: 'Dome', plural: 'domes'},
      scope: 'Cluster',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: {
            status: {},
            scale: {specReplicasPath: '.spec.slits', statusReplicasPath: '.status.slits'},
          },
          schema: {openAPIV3Schema: {type: 'object'}},
        },
      ],
    },
  },
  definition: {
    name: 'domes.sites.example.org',
    group: 'sites.example.org',
    kind: 'Dome',
    plural: 'domes',
    version: 'v1',
    versions: ['v1'],
    subresources: {status: true, scale: true},
  },
  metadata: {
    group: ASTRONOMY,
    resource: {
      title: 'Dome',
      titlePlural: 'Domes',
      category: 'Buildings',
      readme: '',
      overview: '',
      overviewShort: 'Keeps the rain out.',
    },
    icon: {base64Data: base64('GIF89a'), mediatype: 'image/gif'},
    uiSchemas: ['top: true'],
  },
}

const mount: Package['crds'][number] = {
  file: '.registry/sites/dome/crd.yaml',
  object: {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: 'mounts.sites.example.org'},
    spec: {
      group: 'sites.example.org',
      names: {kind: 'Mount', plural: 'mounts'},
      scope: 'Namespaced',
      versions: [
        {name: 'v1alpha1', served: true, storage: false},
        {name: 'v1alpha2', served: true, storage: true},
      ],
    },
  },
  definition: {
    name: 'mounts.sites.example.org',
    group: 'sites.example.org',
    kind: 'Mount',
    plural: 'mounts',
    version: 'v1alpha2',
    versions: ['v1alpha1', 'v1alpha2'],
    subresources: {status: false, scale: false},
  },
  metadata: {group: ASTRONOMY, icon: TOP_ICON, uiSchemas: ['top: true']},
}

const controller: Package['controller'] = {
  replicas: 1,
  selector: {matchLabels: {app: 'observatory'}},
  strategy: {},
  template: {
    metadata: {labels: {app: 'observatory'}},
    spec: {
      containers: [
        {
          name: 'controller',
          args: ['--sync', '1h'],
          env: [{name: 'POD_NAME', valueFrom: {fieldRef: {fieldPath: 'metadata.name'}}}],
          resources: {limits: {cpu: '500m', memory: '1Gi'}},
        },
      ],
    },
  },
}

describe('a complete package', () => {
  const files = registryFilesIn(observatory)

  it('is read completely', () => {
    const want: Package = {
      app,
      title: 'Observatory',
      version: '2.3.0',
      permissionScope: 'Cluster',
      dependencies: [
        {crd: 'clocks.time.example.org/v1'},
        {crd: '*.weather.example.org'},
        {package: 'example/weather-station'},
      ],
      icons: [{base64Data: base64(Buffer.from('89504e470d0a1a0a', 'hex')), mediatype: 'image/png'}, TOP_ICON],
      crds: [telescope, dome, mount],
      controller,
      warnings: [
        {severity: 'warning', rule: 'icon-type', message: '', file: '.registry/sites/dome/mount.icon.bmp'},
      ],
    }
    const {warnings, ...read} = readPackage('full-observatory', files)
    const unsaid = warnings.map(warning => ({...warning, message: ''}))
    expect({...read, warnings: unsaid}).toEqual(want)
  })

  it('gives the same result for any order of its files', () => {
    const want = readPackage('full-observatory', files)
    expect(readPackage('full-observatory', [...files].reverse())).toEqual(want)
  })
})

describe('a template stack', () => {
  it('is read completely', () => {
    const behavior = `crd: {apiVersion: blogs.example.org/v1, kind: Blog}
engine:
  type: kustomize
  controllerImage: example/templating:v2
  kustomize:
    overlays:
    - {apiVersion: apps/v1, kind: Deployment, name: blog, bindings: [{from: spec.size, to: spec.replicas}]}
    kustomization: {kind: Kustomization, namePrefix: blog-, images: [~]}
source: {image: example/templates, path: ./blog/}
`
    const files = registryFiles({'app.yaml': APP, 'behavior.yaml': behavior})
    expect(readPackage('blog', files)).toEqual({
      app: {permissionScope: 'Namespaced'},
      title: '',
      permissionScope: 'Namespaced',
      dependencies: [],
      icons: [],
      crds: [],
      behavior: {
        crd: {apiVersion: 'blogs.example.org/v1', kind: 'Blog'},
        engine: {
          type: 'kustomize',
          kustomize: {
            overlays: [
              {
                apiVersion: 'apps/v1',
                kind: 'Deployment',
                name: 'blog',
                bindings: [{from: 'spec.size', to: 'spec.replicas'}],
              },
            ],
            kustomization: {kind: 'Kustomization', namePrefix: 'blog-', images: [null]},
          },
        },
        controllerImage: 'example/templating:v2',
        source: {image: 'example/templates', path: 'blog'},
      },
      warnings: [],
    })
  })
})

interface MetadataCase {
  readonly name: string
  readonly reason: string
  readonly files: Files
  readonly want: CrdMetadata
}

describe('the metadata of a CRD at a/b/crd.yaml', () => {
  const group = (title: string) => ({title, category: '', readme: '', overview: '', overviewShort: ''})
  const resource = (title: string) => ({...group(title), titlePlural: ''})
  const icon = (text: string, mediatype = SVG) => ({base64Data: base64(text), mediatype})
  const cases: readonly MetadataCase[] = [
    {name: 'none', reason: 'all of it is optional', files: {}, want: {uiSchemas: []}},
    {
      name: 'groups',
      reason: 'the nearest at or above it, by whole segments',
      files: {
        'group.yaml': 'title: top',
        'a/group.yaml': 'title: above',
        'a/b/c/group.yaml': 'title: below',
        'a/bb/group.yaml': 'title: beside',
        'a/b2/group.yaml': 'title: beside',
      },
      want: {group: group('above'), uiSchemas: []},
    },
    {
      name: 'an empty group',
      reason: 'it has no fields, so the next one above counts',
      files: {'group.yaml': 'title: top', 'a/b/group.yaml': '# later'},
      want: {group: group('top'), uiSchemas: []},
    },
    {
      name: 'resources',
      reason: 'only those of its kind, and the last by name of the nearest',
      files: {
        'a/b/other.resource.yaml': 'id: Gadget\ntitle: other',
        'a/b/resource.yaml': 'title: nobody',
        'a/1.resource.yaml': 'id: widget\ntitle: first',
        'a/2.resource.yaml': 'id: WIDGET\ntitle: second',
        'z.resource.yaml': 'id: Widget\ntitle: top',
      },
      want: {resource: resource('second'), uiSchemas: []},
    },
    {
      name: 'icons of one directory by target',
      reason: 'kind and version before kind before any kind, for any type',
      files: {
        'a/b/icon.svg': 'any',
        'a/b/widget.icon.svg': 'kind',
        'a/b/widget.v1.icon.gif': 'version',
        'a/b/widget.v2.icon.svg': 'other version',
        'a/b/gadget.icon.svg': 'other kind',
        'a/b/widgets.icon.svg': 'no kind',
      },
      want: {icon: icon('version', 'image/gif'), uiSchemas: []},
    },
    {
      name: 'icons of one directory by type',
      reason: 'svg, png, jpg, gif',
      files: {'a/b/icon.gif': 'gif', 'a/b/icon.jpg': 'jpg', 'a/b/icon.jpeg': 'jpeg', 'a/b/icon.png': 'png'},
      want: {icon: icon('png', 'image/png'), uiSchemas: []},
    },
    {
      name: 'icons of one directory that differ in name alone',
      reason: 'the last by name',
      files: {'a/b/icon.jpeg': 'jpeg', 'a/b/icon.jpg': 'jpg'},
      want: {icon: icon('jpg', 'image/jpeg'), uiSchemas: []},
    },
    {
      name: 'an icon for another version',
      reason: 'better than one for any kind',
      files: {'a/b/icon.svg': 'any', 'a/b/widget.v2.icon.png': 'other version'},
      want: {icon: icon('other version', 'image/png'), uiSchemas: []},
    },
    {
      name: 'icons near and far',
      reason: 'the nearest directory that has any for it',
      files: {
        'a/widget.v1.icon.svg': 'far',
        'a/b/icon.gif': 'near',
        'a/b/c/icon.svg': 'below',
      },
      want: {icon: icon('near', 'image/gif'), uiSchemas: []},
    },
    {
      name: 'near icons of other kinds',
      reason: 'they do not hide those above',
      files: {'a/b/gadget.icon.svg': 'other kind', 'a/b/icon.SVG': 'no plain name', 'icon.svg': 'top'},
      want: {icon: icon('top'), uiSchemas: []},
    },
    {
      name: 'ui-schemas',
      reason: 'all for it or any kind, in descending order of whole paths',
      files: {
        'ui-schema.yaml': 'top',
        'a/ui-schema.yaml': 'above',
        'a/b/widget.ui-schema.yaml': 'kind',
        'a/b/widget.v9.ui-schema.yaml': 'version',
        'a/b/gadget.ui-schema.yaml': 'other kind',
        'a/b/x-ui-schema.yaml': 'no kind',
        'a/bb/ui-schema.yaml': 'beside',
      },
      want: {uiSchemas: ['top', 'above', 'version', 'kind']},
    },
  ]

  it.each(cases)('$name: $reason', ({files, want}) => {
    const {crds} = readPackage('example', registryFiles({'app.yaml': APP, 'a/b/crd.yaml': CRD, ...files}))
    expect(crds.map(({metadata}) => metadata)).toEqual([want])
  })

  it('is found for a kind that starts with another one, followed by a dot', () => {
    const dotted = changed(CRD, 'kind: Widget', 'kind: Widget.V1')
    const files = {'widget.v1.icon.svg': 'its own', 'widget.icon.svg': 'of another', 'crd.yaml': dotted}
    const {crds} = readPackage('example', registryFiles({'app.yaml': APP, ...files}))
    expect(crds.map(({metadata}) => metadata)).toEqual([{icon: icon('its own'), uiSchemas: []}])
  })
})
