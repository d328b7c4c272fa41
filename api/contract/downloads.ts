/** Exports of data sets: requested, prepared in the background, downloaded through an expiring link (specification). */
import { Type, type Static } from 'typebox';
import { limits } from './limits.ts';
import { OpenEnum } from './records/shared.ts';

/** Every data set, grouped as in the specification. */
export const downloadContexts = [
  'accessBundleApplications', 'accessBundleDetails', 'accessBundleGroups', 'accessBundles', 'accessInventoryAccounts',
  'accessInventoryApplicationAccountsV2', 'accessInventoryApplicationInstancesV2', 'accessInventoryEmployeesV2',
  'accessInventoryGroupsV2', 'accessInventoryIdentitiesV2', 'accessInventoryNhiV2', 'accessInventoryResourceInstancesV2',
  'accessInventoryRolesV2', 'accessRequests', 'accessReviewsReviewItems', 'accountUtilization', 'activityAnalysis',
  'applicationAccounts', 'customActionAccessRequests', 'directIntegrationAccessRequests', 'employeeAccessInsights',
  'employees', 'externalAccessUsers', 'externalAnonymousAccess', 'externalSharedAssets', 'groupUtilizationAccounts',
  'identities', 'identityAssessmentEntitlementUtilization', 'identityAssessmentResourceInstanceUtilization',
  'identityAssessmentRiskDownload', 'identityAssessmentSimilarGroups', 'ilmEmployeeEvents', 'ilmEventAccountActions',
  'ilmEventApplicationActions', 'ilmEventGroupActions', 'ilmWorkflowEmployeeEvents', 'platformUsers', 'resourceInstances',
  'riskMonitoringDetail', 'risks', 'risksV2', 'unmanagedApplications', 'userGroup',
] as const; // oxfmt-ignore
export type DownloadContext = (typeof downloadContexts)[number];

export const downloadFormats = ['csv', 'jsonl'] as const;
const downloadStatuses = ['accepted', 'completed', 'failed'] as const;

const urlTtlMinutes = Type.Integer({
  minimum: limits.urlTtlMinutesMin,
  maximum: limits.urlTtlMinutesMax,
  description: 'Lifetime of the link, in minutes.',
});

export const DownloadRequest = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'ID of the request.' }),
    context: OpenEnum(downloadContexts, 'Data set to export.'),
    fileFormat: OpenEnum(downloadFormats, 'Format of the file.'),
    status: OpenEnum(downloadStatuses, 'State of the export.'),
    urlTtlMinutes: Type.Optional(urlTtlMinutes),
    error: Type.Optional(
      Type.Object(
        { code: Type.String(), message: Type.String() },
        { description: 'Reason for the failure.' },
      ),
    ),
    url: Type.Optional(Type.String({ description: 'Link to the file, once completed; needs no token.' })),
  },
  { description: 'An export of a data set.' },
);
export type DownloadRequest = Static<typeof DownloadRequest>;

/** The specification does not describe this request (assumption `create-download`). */
export const DownloadCreate = Type.Object(
  {
    context: Type.Enum([...downloadContexts], { description: 'Data set to export.' }),
    fileFormat: Type.Optional(
      Type.Enum([...downloadFormats], { default: 'csv', description: 'Format of the file.' }),
    ),
    urlTtlMinutes: Type.Optional(urlTtlMinutes),
  },
  { additionalProperties: false },
);
export type DownloadCreate = Static<typeof DownloadCreate>;

export const DownloadPath = Type.Object({
  id: Type.String({ format: 'uuid', description: 'ID of the download request.' }),
});
