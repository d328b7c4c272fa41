/** The data sets that can be exported, grouped as in the specification. Independent of the editor. */
import { downloadContexts, type DownloadContext } from '#api/contract/downloads.ts';

/** Data sets by group, in the order of the specification. */
export const contextGroups = {
  accessBundles: ['accessBundles', 'accessBundleApplications', 'accessBundleDetails', 'accessBundleGroups'],
  accessInventory: [
    'accessInventoryAccounts',
    'accessInventoryApplicationAccountsV2',
    'accessInventoryApplicationInstancesV2',
    'accessInventoryEmployeesV2',
    'accessInventoryGroupsV2',
    'accessInventoryIdentitiesV2',
    'accessInventoryNhiV2',
    'accessInventoryResourceInstancesV2',
    'accessInventoryRolesV2',
  ],
  identityAndEmployees: [
    'identities',
    'employees',
    'employeeAccessInsights',
    'applicationAccounts',
    'userGroup',
  ],
  utilization: ['accountUtilization', 'groupUtilizationAccounts'],
  riskAndActivity: ['activityAnalysis', 'risks', 'risksV2', 'riskMonitoringDetail', 'unmanagedApplications'],
  identityAssessments: [
    'identityAssessmentEntitlementUtilization',
    'identityAssessmentResourceInstanceUtilization',
    'identityAssessmentRiskDownload',
    'identityAssessmentSimilarGroups',
  ],
  identityLifecycle: [
    'ilmEmployeeEvents',
    'ilmEventAccountActions',
    'ilmEventApplicationActions',
    'ilmEventGroupActions',
    'ilmWorkflowEmployeeEvents',
  ],
  externalAccess: ['externalAccessUsers', 'externalAnonymousAccess', 'externalSharedAssets'],
  accessRequests: ['accessRequests', 'customActionAccessRequests', 'directIntegrationAccessRequests'],
  accessReviews: ['accessReviewsReviewItems'],
  referenceData: ['resourceInstances', 'platformUsers'],
} as const satisfies Record<string, readonly DownloadContext[]>;
export type ContextGroup = keyof typeof contextGroups;

export function isContext(value: unknown): value is DownloadContext {
  return downloadContexts.some((context) => context === value);
}
