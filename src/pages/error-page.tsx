import type { VNode } from 'preact';
import type { ServiceError } from '../errors.js';
import type { Assets } from './assets.js';
import { Layout } from './layout.js';

/** What a person sees instead of a page that cannot be shown. */
export function ErrorPage(props: { assets: Assets; error: ServiceError }): VNode {
  return (
    <Layout assets={props.assets} title="Not possible">
      <h1>That did not work</h1>
      <p>{props.error.message}</p>
    </Layout>
  );
}
