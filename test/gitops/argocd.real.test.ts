import {argocd} from './argocd.js'
import {describeReconciled} from './describe-reconciled.js'

describeReconciled(argocd)
