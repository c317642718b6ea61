import {describe, expect, it} from '@jest/globals'
import {folderInRepository} from '../../../src/plan/folder/home.js'

describe('folderInRepository', () => {
  it.each([
    {in: {folder: 'clusters/a', path: '../../team/policy.yaml'}, want: 'team'},
    {in: {folder: 'clusters/a', path: './crds/x.yaml'}, want: 'clusters/a/crds'},
    {in: {folder: 'clusters/a', path: 'policy.yaml'}, want: 'clusters/a'},
    {in: {folder: 'a', path: '../policy.yaml'}, want: undefined},
    {in: {folder: 'a', path: '../../etc/policy.yaml'}, want: undefined},
    {in: {folder: '', path: 'team//policy.yaml'}, want: 'team'},
  ])('$in', ({in: {folder, path}, want}) => {
    expect(folderInRepository({folder}, path)).toBe(want)
  })
})
