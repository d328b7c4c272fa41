/** The current name of a connection, which may have been renamed or deleted. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { nameNow, type Home, type Named } from '#core/connections/renamed-connections.ts';

const named = (name: string, key: string, service = `service of ${key}`): Named => ({ name, key, service });

suite('nameNow', () => {
  const remembered = new Map([
    ['Twin', 'k1'],
    ['Old', 'k1'],
    ['Other', 'k2'],
  ]);
  const cases: readonly {
    readonly what: string;
    readonly name: string;
    readonly home?: Home;
    readonly present: readonly Named[];
    readonly remembered?: readonly (readonly [string, string])[];
    readonly now: string | undefined;
  }[] = [
    { what: 'a name that is there is that one', name: 'Old', present: [named('Old', 'k1')], now: 'Old' },
    {
      what: 'a name whose client id or token address changed is that one still',
      name: 'Old',
      home: { key: 'k1', service: 'service' },
      present: [named('Old', 'k9', 'service')],
      now: 'Old',
    },
    {
      what: 'a connection to the same under another name is the renamed one',
      name: 'Old',
      present: [named('New', 'k1'), named('Other', 'k2')],
      remembered: [['New', 'k1']],
      now: 'New',
    },
    {
      what: 'of several that connect to the same, the one that came last was renamed',
      name: 'Old',
      present: [named('New', 'k1'), named('Twin', 'k1')],
      remembered: [['New', 'k1']],
      now: 'New',
    },
    {
      what: 'a deleted one is not another service',
      name: 'Old',
      present: [named('Other', 'k2')],
      now: undefined,
    },
    {
      what: 'a deleted one is the other one to the same',
      name: 'Old',
      present: [named('Twin', 'k1'), named('Other', 'k2')],
      now: 'Twin',
    },
    {
      what: 'a name that was never seen is none',
      name: 'Unseen',
      present: [named('Old', 'k1')],
      now: undefined,
    },
    { what: 'nothing is there', name: 'Old', present: [], now: undefined },
    {
      what: 'a name that was given to another service is not the service that was meant',
      name: 'Old',
      home: { key: 'k1', service: 'service of k1' },
      present: [named('Old', 'k2')],
      now: undefined,
    },
    {
      what: 'names that were exchanged lead to the service that was meant',
      name: 'Old',
      home: { key: 'k1', service: 'service of k1' },
      present: [named('Old', 'k2'), named('Other', 'k1')],
      now: 'Other',
    },
    {
      what: 'a renamed one that was given to another service is none',
      name: 'Old',
      home: { key: 'k0', service: 'service before' },
      present: [named('New', 'k1')],
      now: undefined,
    },
  ];
  for (const { what, name, home, present, now, ...more } of cases) {
    test(what, () => {
      const all = new Map([...remembered, ...(more.remembered ?? [])]);
      assert.equal(nameNow({ name, home }, present, all), now);
    });
  }
});
