/** The nine collections of the service, as they are named and shown. What their fields are is in record-fields.ts. */
import * as vscode from 'vscode';
import type { CollectionId } from '../../../../api/contract/tables.ts';

export interface CollectionWords {
  /** Of many: the row in the tree, the title of the rows. */
  readonly many: string;
  /** Of one: the title of a record. */
  readonly one: string;
  readonly description: string;
  /** Name of a codicon. */
  readonly icon: string;
}

/** In the order of the tree: who, with what rights, how they sign in, what they did. */
export const collectionOrder = [
  'accounts',
  'roles',
  'accountRoles',
  'accessAssignments',
  'personIsEmployee',
  'authenticators',
  'authenticatorEnrollments',
  'enrollmentViaAuthenticator',
  'activities',
] as const satisfies readonly CollectionId[];

export function collectionWords(collection: CollectionId): CollectionWords {
  switch (collection) {
    case 'accounts':
      return {
        many: vscode.l10n.t('Accounts'),
        one: vscode.l10n.t('Account'),
        description: vscode.l10n.t('Who can sign in to a connected application'),
        icon: 'account',
      };
    case 'roles':
      return {
        many: vscode.l10n.t('Roles'),
        one: vscode.l10n.t('Role'),
        description: vscode.l10n.t('Groups of permissions with their members and reach'),
        icon: 'organization',
      };
    case 'accountRoles':
      return {
        many: vscode.l10n.t('Account Roles'),
        one: vscode.l10n.t('Account Role'),
        description: vscode.l10n.t('What accounts refer to by name, with the rights it implies'),
        icon: 'person',
      };
    case 'accessAssignments':
      return {
        many: vscode.l10n.t('Access Assignments'),
        one: vscode.l10n.t('Access Assignment'),
        description: vscode.l10n.t('Who has access to what'),
        icon: 'key',
      };
    case 'personIsEmployee':
      return {
        many: vscode.l10n.t('Person-Employee Links'),
        one: vscode.l10n.t('Person-Employee Link'),
        description: vscode.l10n.t('Which person is which employee'),
        icon: 'link',
      };
    case 'authenticators':
      return {
        many: vscode.l10n.t('Authenticators'),
        one: vscode.l10n.t('Authenticator'),
        description: vscode.l10n.t('What people prove themselves with'),
        icon: 'shield',
      };
    case 'authenticatorEnrollments':
      return {
        many: vscode.l10n.t('Authenticator Enrollments'),
        one: vscode.l10n.t('Authenticator Enrollment'),
        description: vscode.l10n.t('Which account is enrolled in which authenticator'),
        icon: 'device-mobile',
      };
    case 'enrollmentViaAuthenticator':
      return {
        many: vscode.l10n.t('Enrollment Links'),
        one: vscode.l10n.t('Enrollment Link'),
        description: vscode.l10n.t('Enrollments and the authenticators they go through'),
        icon: 'references',
      };
    case 'activities':
      return {
        many: vscode.l10n.t('Activities'),
        one: vscode.l10n.t('Activity'),
        description: vscode.l10n.t('What accounts did, from audit logs'),
        icon: 'pulse',
      };
    default:
      return collection satisfies never;
  }
}
