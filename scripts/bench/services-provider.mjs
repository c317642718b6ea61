// A provider whose external system is a map in memory, as the program that `scripts/bench/services.mjs` measures.
import {externalName, runServices} from 'kubectl-crossplane-services'

const API = 'fcp.example.org/v1alpha3'
/** @type {Set<string>} */
const instances = new Set()

const provider = {
  kind: {apiVersion: API, kind: 'Provider'},
  connect: async () => client,
}

/** @type {import('kubectl-crossplane-services').ExternalClient} */
const client = {
  observe: async managed => ({
    exists: instances.has(externalName(managed)),
    details: {endpoint: `${externalName(managed)}.example.org`, username: 'root'},
  }),
  create: async managed => {
    instances.add(externalName(managed))
    return {password: 'created'}
  },
  update: async () => ({}),
  delete: async managed => {
    instances.delete(externalName(managed))
  },
}

const service = {
  managed: {apiVersion: API, kind: 'FavouriteDBInstance'},
  class: {apiVersion: API, kind: 'FavouriteDBInstanceClass'},
  claims: [{apiVersion: 'database.example.org/v1alpha1', kind: 'FancySQLInstance'}],
  provider,
}
process.exitCode = await runServices([service], {version: 'v0.1.0'})
