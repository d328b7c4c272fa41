/** The result panel's page: connects to the host and renders its state. */
import { App } from './shell/app.ts';
import { connectHost } from './shell/host.ts';

const app = new App(document.body, (receive) => connectHost(receive));
app.start();
