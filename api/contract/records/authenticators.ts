/** Authenticators, their enrollments, and the links between the two (specification). */
import { Type, type Static } from 'typebox';
import { ListOf } from '../lists.ts';
import { AuthenticationMethod, DateTime, Optionals, recordFields, Resource, Text, Texts } from './shared.ts';

export const Authenticator = Resource(
  { ...recordFields },
  {
    authenticationKeys: Texts('Keys by which the enrollments of the authenticator are matched to accounts.'),
    authenticationMethods: Type.Array(AuthenticationMethod, {
      description: 'Methods that the authenticator offers.',
    }),
    isActive: Type.Boolean({ description: 'Whether the authenticator can be used.' }),
    name: Text('Name of the authenticator.'),
    description: Text('Description of the authenticator.'),
    sorPrimaryStewardEmail: Text('Email address of the person responsible for it.'),
  },
  'A method that proves an identity.',
);
export type Authenticator = Static<typeof Authenticator>;
export const AuthenticatorList = ListOf(Authenticator);

export const enrollmentStatuses = ['Active', 'Pending', 'Revoked', 'Suspended'] as const;

export const AuthenticatorEnrollment = Resource(
  { ...recordFields, id: Type.String({ minLength: 1, description: 'Local identifier.' }) },
  {
    accountKey: Text(
      "The provider's name for the enrolled account. It is matched against alias, email and alternateEmails.",
    ),
    authenticationMethods: Type.Array(AuthenticationMethod, {
      description: 'The methods of the authenticator that this enrollment uses.',
    }),
    enrollmentStatus: Type.String({
      description:
        'Active: usable. Pending: started, not completed. Revoked: withdrawn. Suspended: inactive for a time.',
      examples: [...enrollmentStatuses],
    }),
    enrolledAt: DateTime('Time at which the enrollment was created.'),
    revokedAt: DateTime('Time of the revocation. Present only if the enrollment was revoked.'),
    deviceInfo: {
      ...Optionals({
        deviceId: Type.String(),
        deviceType: Type.String(),
        deviceName: Type.String(),
        registeredAt: DateTime('Time at which the device was registered.'),
      }),
      description: 'The device that the enrollment is bound to, if one is required.',
    },
    sorPrimaryStewardEmail: Text('Email address of the person responsible for it.'),
  },
  "An account's enrollment in an authenticator.",
);
export type AuthenticatorEnrollment = Static<typeof AuthenticatorEnrollment>;
export const AuthenticatorEnrollmentList = ListOf(AuthenticatorEnrollment);

/** Each item is one string: an enrollment node, the relationship EnrolledVia, and an authenticator node. */
export const EnrollmentLink = Type.String({
  description: 'A graph pattern: the enrollment with its ID, EnrolledVia, the authenticator with its ID.',
});
export const EnrollmentLinkList = ListOf(EnrollmentLink);

/** Formats a link (the specification describes the pattern only in words; assumption `link-text`). */
export function enrollmentLinkText(enrollmentId: string, authenticatorId: string): string {
  const quote = (id: string): string => JSON.stringify(id);
  return `(:AuthenticatorEnrollment {id: ${quote(enrollmentId)}})-[:EnrolledVia]->(:Authenticator {id: ${quote(authenticatorId)}})`;
}
