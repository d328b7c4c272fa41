/** Structures that several resources share (specification, "Shared structures"). Member names match the wire format. */
import { Type, type TObject, type TOptional, type TProperties, type TSchema } from 'typebox';

/** Creates a string schema with some known values and possibly others: the specification has no complete list. */
export function OpenEnum(known: readonly string[], description: string) {
  return Type.String({
    description: `${description} Known values: ${known.join(', ')}; others may come.`,
    examples: [...known],
  });
}

export function DateTime(description: string) {
  return Type.String({ format: 'date-time', description });
}

export function Text(description: string) {
  return Type.String({ description });
}

export function Texts(description: string) {
  return Type.Array(Type.String(), { description });
}

/** Creates an object schema whose members are all optional: a record omits empty ones. */
export function Optionals<Properties extends Record<string, TSchema>>(properties: Properties) {
  return Type.Partial(Type.Object(properties));
}

/** Returns a structure's schema with the description of the field that uses it. */
export function Described<Schema extends TSchema>(schema: Schema, description: string): Schema {
  return { ...schema, description };
}

export const ObjectMetadata = Type.Object({
  ApplicationInstanceId: Type.String({
    description: 'The application instance the record was gathered from, a UUID.',
  }),
  GeneratedTime: DateTime('Time at which the record was generated from the application.'),
  Profile: Text('The shape the record was gathered as, for example Account.'),
  ObjectOrRelationshipType: Text('The type of the object or relationship.'),
});

export const PlatformObjectMetadata = Type.Object({
  enrichmentVersion: Text('The version of the enrichment that produced the record.'),
  generatedTime: DateTime('Time at which the enriched record was generated.'),
});

export const AuthenticationMethod = Type.Object({ type: Type.String(), description: Type.String() });

export const Federation = Optionals({
  isFederated: Type.Boolean(),
  authenticationKey: Type.String(),
});

/** A named, typed value. A type such as array_boolean determines its format; the specification has no complete list. */
export const MetadataItem = Optionals({
  id: Type.String(),
  name: Type.String(),
  namespace: Type.String(),
  type: OpenEnum(['array_boolean'], 'Format of the value.'),
  value: Type.Unknown(),
});

export const Location = Optionals({
  type: OpenEnum(['Network'], 'Type of location.'),
  typeSpecificData: Optionals({
    name: Type.String(),
    ipAddressInclusions: Type.Array(Type.String()),
    ipAddressExclusions: Type.Array(Type.String()),
    supplementaryInformation: Optionals({
      geoLocation: Optionals({
        latitude: Type.Number(),
        longtitude: Type.Number({
          description: 'The longitude. The field name is spelled this way in the API.',
        }),
      }),
      additionalLocationMetadata: Type.Array(MetadataItem),
    }),
  }),
});

export const AuthorizedLocationPolicy = Optionals({
  isInherited: Type.Boolean(),
  policy: Optionals({ allowAll: Type.Boolean(), authorizedLocations: Type.Array(Location) }),
});

export const FormattedScopes = Optionals({
  specifiers: Type.Array(Type.String()),
  type: OpenEnum(['OAuth'], 'Format of the scopes.'),
});

export const PermissionSet = Optionals({
  fineGrainedResourceClass: Type.String(),
  fineGrainedSpecifiers: Type.Array(Type.String()),
  formattedScopes: FormattedScopes,
  isCreate: Type.Boolean(),
  isDelete: Type.Boolean(),
  isExecute: Type.Boolean(),
  isPrivileged: Type.Boolean(),
  isRead: Type.Boolean(),
  isShare: Type.Boolean(),
  isUpdate: Type.Boolean(),
  ownershipLevel: OpenEnum(['Owner'], 'Level of ownership.'),
  owners: Type.Array(
    Optionals({
      federationInformation: Federation,
      objectId: Type.String(),
      objectType: OpenEnum(['Account'], 'Type of the owner.'),
    }),
  ),
  permissionGroupId: Type.String(),
  specificationMetadata: Type.Array(MetadataItem),
});

export const Conditions = Optionals({
  context: Type.Array(MetadataItem),
  overrides: Type.Array(OpenEnum(['AllowAdmin'], 'Overrides that take precedence over the condition.')),
  rootOperator: Optionals({
    type: OpenEnum(['Array'], 'The kind of operator.'),
    operator: Optionals({
      isArrayGeneratingDynamicValue: Type.Boolean(),
      arrayOpKey: Optionals({
        type: OpenEnum(['Function'], 'Source of the key.'),
        value: Type.String(),
        keySpecification: Optionals({ parameters: Type.Array(MetadataItem) }),
      }),
      arrayOpType: OpenEnum(['In'], 'Operator that compares the key with the values.'),
      arrayOpValue: Optionals({
        values: Type.Array(
          Optionals({
            staticConditionValueType: OpenEnum(['activity_type'], 'Type of the value.'),
            staticConditionValueData: Type.Unknown(),
          }),
        ),
      }),
    }),
  }),
});

export const EntitlementSpecification = Optionals({
  inferenceConfidence: Type.Number(),
  isInferred: Type.Boolean(),
  reason: OpenEnum(['AccessControl'], 'Reason for the entitlement.'),
  reasonSpecificData: Optionals({
    enabled: Type.Boolean(),
    accessControlMetadata: Type.Array(MetadataItem),
    conditions: Conditions,
    description: Type.String(),
    name: Type.String(),
    permissions: PermissionSet,
    shareableUri: Type.String(),
    shareableUriLabel: Type.String(),
    sourceTag: Type.String(),
    type: OpenEnum(['Denial'], 'Effect of the entitlement.'),
  }),
});

export const MethodSelectionPolicy = Optionals({
  accountConditions: Conditions,
  assignedApplicationConditions: Conditions,
  authorizedLocations: AuthorizedLocationPolicy,
  excludedAuthenticationMethods: Type.Array(AuthenticationMethod),
  includedAuthenticationMethods: Type.Array(AuthenticationMethod),
});

export const ProvisioningParticipant = Optionals({
  authenticationKey: Type.String(),
  syncKey: Type.String(),
  syncMethod: OpenEnum(['ApplicationSpecific'], 'Synchronization method of the records.'),
  entitySync: Optionals({
    protocol: OpenEnum(['AD'], 'The protocol.'),
    protocolControls: Type.Array(OpenEnum(['Create'], 'Operations that the protocol supports.')),
    attributeControls: Type.Array(
      Optionals({
        id: Type.String(),
        sourceAttributeName: Type.String(),
        targetAttributeName: Type.String(),
        sourceEntityType: OpenEnum(['Account'], 'Type of the entity that the attribute is copied from.'),
        targetEntityType: OpenEnum(['Account'], 'Type of the entity that the attribute is copied to.'),
        attributeSync: Type.Array(OpenEnum(['OnCreate'], 'Events on which the attribute is copied.')),
      }),
    ),
  }),
});

/** The fields every record has. */
export const recordFields = {
  id: Text('Local identifier, unique within the application instance.'),
  globalId: Text('Global identifier, unique across the whole system.'),
  objectMetadata: Described(ObjectMetadata, 'Origin of the record, and the time at which it was generated.'),
  platformObjectMetadata: Described(
    PlatformObjectMetadata,
    'The version of the enrichment, and when it was made.',
  ),
};

type OptionalMembers<Properties> = {
  [Key in keyof Properties]: Properties[Key] extends TSchema ? TOptional<Properties[Key]> : never;
};

/** Creates a record schema with required and optional members. */
export function Resource<Required extends TProperties, Others extends TProperties>(
  required: Required,
  others: Others,
  description: string,
): TObject<Required & OptionalMembers<Others>> {
  const optional = Object.fromEntries(
    Object.entries(others).map(([name, schema]) => [name, Type.Optional(schema)]),
  ) as OptionalMembers<Others>; // every member was made optional
  return Type.Object({ ...required, ...optional }, { description });
}
