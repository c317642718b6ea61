import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, it} from '@jest/globals'
import {runCli} from '../run-cli.js'
import {temporaryFolder, writeTree} from '../temporary-folder.js'

const folder = temporaryFolder()
const empty = join(folder, 'empty.xpkg')
writeFileSync(empty, '')
writeTree(folder, {'.registry/app.yaml': 'title: A\npermissionScope: Cluster\n'})

const LOST = 'cannot connect to localhost:1: connection refused'

it.each([
  {
    name: 'the image of --from',
    in: ['build', `oci:${folder}/built`, folder, '--from', 'localhost:1/team/base:v1'],
    want: `cannot read the image localhost:1/team/base:v1 of --from: ${LOST}`,
  },
  {
    name: 'the package whose tags are listed',
    in: ['versions', 'localhost:1/team/a'],
    want: `cannot list the tags of localhost:1/team/a: ${LOST}`,
  },
  {
    name: 'a package with a name that is a part of the words',
    in: ['compare', 'a', 'b', '--default-source', 'localhost:1'],
    want: `cannot list the tags of localhost:1/a: ${LOST}`,
  },
  {
    name: 'a package to pull',
    in: ['pull', 'localhost:1/team/a:v1'],
    want: `cannot pull localhost:1/team/a:v1: ${LOST}`,
  },
  {
    name: 'an empty archive',
    in: ['inspect', empty],
    want: `cannot read ${empty}: the file is empty`,
  },
  {
    name: 'an empty OCI archive',
    in: ['inspect', `oci-archive:${empty}`],
    want: `cannot read ${empty}: the file is empty`,
  },
])('names $name', async ({in: [command = '', ...words], want}) => {
  const {stderr} = await runCli('package', command, ...words, '-o', 'json')
  expect(JSON.parse(stderr)).toMatchObject({message: want})
})
