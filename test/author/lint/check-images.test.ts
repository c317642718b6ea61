import {BEHAVIOR, DEPLOYMENT, WIDGET_CRD} from '../../../src/author/lint/rules/example-files.js'
import {app, describeFindings} from './lint-case.js'

const containers = (...images: readonly string[]) =>
  `${DEPLOYMENT}        image: ${images[0]}\n${images
    .slice(1)
    .map((image, index) => `      - name: c${index}\n        image: ${image}\n`)
    .join('')}`

describeFindings('images', [
  {
    name: 'an image beside others',
    reason: 'it can be any tag, except one of the image of the package',
    files: {
      'app.yaml': app('version: v2'),
      'install.yaml': containers('a/proxy:v1', 'reg.example.org/a/b:v1'),
    },
    reference: 'a/b:v2',
    want: ['install.yaml:10 spec.template.spec.containers[1].image [image-version]'],
  },
  {
    name: 'an image alone',
    reason: 'the package was made to run it, under any name',
    files: {'install.yaml': containers('a/manager:v1')},
    reference: 'a/b:v2',
    want: ['install.yaml:8 spec.template.spec.containers[0].image [image-version]'],
  },
  {
    name: 'an image of the same version, more or less',
    reason: 'a v or a suffix does not make another version',
    files: {'app.yaml': app('version: v0.1.0'), 'install.yaml': containers('a/b:0.1.0-alpine')},
    want: [],
  },
  {
    name: 'an image by digest',
    reason: 'its content is fixed, and its version unknown',
    files: {'app.yaml': app('version: v1'), 'install.yaml': containers(`a/b:v2@sha256:${'0'.repeat(64)}`)},
    want: [],
  },
  {
    name: 'init containers',
    reason: 'their images run, too',
    files: {
      'install.yaml': `${DEPLOYMENT}      initContainers:\n      - name: init\n        image: busybox\n`,
    },
    want: ['install.yaml:10 spec.template.spec.initContainers[0].image [image-floating]'],
  },
  {
    name: 'images of a behavior',
    reason: 'the templates are of the version of the package, their controller is not',
    files: {
      'app.yaml': app('version: v1'),
      'behavior.yaml': `${BEHAVIOR}  image: a/b:v2\n`.replace('helm3', 'helm3\n  controllerImage: a/c'),
      'crd.yaml': WIDGET_CRD,
    },
    want: [
      'behavior.yaml:6 engine.controllerImage [image-floating]',
      'behavior.yaml:9 source.image [image-version]',
      'crd.yaml:5 spec [crd-status-subresource]',
      'crd.yaml:5 spec [crd-conditions]',
    ],
  },
])
