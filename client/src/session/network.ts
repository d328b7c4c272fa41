/**
 * Network settings for requests: combines the editor's proxy and certificate settings with the extension's own.
 * `http.proxyStrictSSL` applies only to the proxy: the service's certificate is always checked, because the service
 * receives the secret.
 */
import path from 'node:path';
import * as vscode from 'vscode';
import type { DispatcherOptions } from '#api/client/network/dispatcher.ts';
import { homeFolder } from '#base/files/own-folders.ts';
import type { Network } from '#core/connections/open-client.ts';
import { settings, settingsSection } from '../contributions.ts';

export interface NetworkSettings {
  readonly dispatcher: DispatcherOptions;
  /** Whether to send requests with the editor's own fetch, which supports PAC files and ignores `dispatcher`. */
  readonly useEditorFetch: boolean;
  readonly requestTimeoutMs: number;
  /** Timeout per call, including retries. */
  readonly totalTimeoutMs: number;
}

export function readNetworkSettings(): NetworkSettings {
  const editor = vscode.workspace.getConfiguration('http');
  const own = vscode.workspace.getConfiguration(settingsSection);
  const text = (value: unknown) =>
    typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
  const file = (name: string) => expandHome(text(own.get<unknown>(name)));
  const milliseconds = (name: string, otherwise: number) => {
    const seconds = own.get<unknown>(name);
    return (typeof seconds === 'number' && seconds > 0 ? seconds : otherwise) * 1000;
  };
  const noProxy = editor.get<unknown>('noProxy');
  const exceptions = Array.isArray(noProxy) ? noProxy.filter((host) => typeof host === 'string') : [];
  const hasProxies = editor.get<unknown>('proxySupport') !== 'off';
  const requestTimeoutMs = milliseconds(settings.requestTimeoutSeconds, 30);
  return {
    dispatcher: {
      proxy: hasProxies ? (text(editor.get<unknown>('proxy')) ?? 'environment') : undefined,
      noProxy: exceptions.length === 0 ? undefined : exceptions.join(','),
      proxyAuthorization: text(editor.get<unknown>('proxyAuthorization')),
      verifyProxy: editor.get<unknown>('proxyStrictSSL') !== false,
      useSystemCertificates: editor.get<unknown>('systemCertificates') !== false,
      caFile: file(settings.networkCaFile),
      certificateFile: file(settings.networkClientCertificate),
      keyFile: file(settings.networkClientKey),
    },
    useEditorFetch: own.get<unknown>(settings.networkUseEditorFetch) === true,
    requestTimeoutMs,
    totalTimeoutMs: 4 * requestTimeoutMs,
  };
}

export function affectsNetwork(event: vscode.ConfigurationChangeEvent): boolean {
  return (
    ['proxy', 'noProxy', 'proxyAuthorization', 'proxyStrictSSL', 'proxySupport', 'systemCertificates'].some(
      (name) => event.affectsConfiguration(`http.${name}`),
    ) || event.affectsConfiguration(`${settingsSection}.network`)
  );
}

/** @throws CertificateError if a configured file cannot be used. */
export async function openNetwork(
  { useEditorFetch, dispatcher }: NetworkSettings,
  passphrase: string | undefined,
): Promise<Network> {
  if (useEditorFetch) return { carrier: { fetch }, close: () => Promise.resolve() };
  const { createDispatcher } = await import('#api/client/network/dispatcher.ts');
  const opened = await createDispatcher({ ...dispatcher, passphrase });
  return { carrier: { dispatcher: opened }, close: () => opened.destroy() };
}

export function expandHome(file: string | undefined): string | undefined {
  return file !== undefined && /^~(?=[\\/]|$)/.test(file) ? path.join(homeFolder(), file.slice(1)) : file;
}
