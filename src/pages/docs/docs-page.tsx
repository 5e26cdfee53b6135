import type { ComponentChildren, VNode } from 'preact';
import type { Assets } from '../../web/assets.js';
import { Layout } from '../../web/layout.js';
import { described, type Operation as OperationData, resolve } from './document.js';
import { Operation } from './operation.js';
import { Markdown, SchemaBody } from './schema.js';

const { info } = described;

const pages = {
  '/guide': { label: 'Guide', title: info.title },
  '/guide/integrations': { label: 'Integrations', title: `${info.title}: integrations` },
  '/docs/': { label: 'Reference', title: `Reference – ${info.title}` },
};

export type DocsPath = keyof typeof pages;

export interface DocsPageProps {
  assets: Assets;
  path: DocsPath;
  children: ComponentChildren;
}

/** A page for developers: a guide, or the reference. */
export function DocsPage({ assets, path, children }: DocsPageProps): VNode {
  return (
    <Layout
      assets={assets}
      title={pages[path].title}
      kind="docs"
      stylesheet="docs.css"
      indexed
      description={info.summary}
    >
      <div class="page">
        <header class="masthead">
          <a href="/">{info.title}</a>
          <nav aria-label="Documents">
            {Object.entries(pages).map(([href, { label }]) => (
              <a key={href} href={href} aria-current={href === path ? 'page' : undefined}>
                {label}
              </a>
            ))}
          </nav>
        </header>
        <main>{children}</main>
      </div>
    </Layout>
  );
}

/** Every operation, event and type of openapi.yaml. */
export function Reference(): VNode {
  const { tags, paths, webhooks, components } = described;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
  const events = Object.values(webhooks).flatMap((methods) => Object.entries(methods));
  return (
    <>
      <h1>Reference</h1>
      <Markdown text={info.description} />
      <p>
        Version {info.version}, made from{' '}
        <a href="/api/public/openapi.json">/api/public/openapi.json</a>.
      </p>
      <nav aria-label="Operations">
        <ul>
          {operations.map(({ method, path, operation }) => (
            <li key={operation.operationId}>
              <a href={`#${operation.operationId}`}>{operation.summary}</a>{' '}
              <code>
                {method.toUpperCase()} {path}
              </code>
            </li>
          ))}
        </ul>
      </nav>
      {tags.map(({ name, description }) => (
        <section key={name} aria-labelledby={`tag-${name}`}>
          <h2 id={`tag-${name}`}>{name}</h2>
          <p>{description}</p>
          {operations
            .filter(({ operation }) => operation.tags[0] === name)
            .map((each) => (
              <Operation key={each.operation.operationId} {...each} />
            ))}
          {events
            .filter(([, operation]) => operation.tags[0] === name)
            .map(([method, operation]) => (
              <Operation key={operation.operationId} method={method} operation={operation} />
            ))}
        </section>
      ))}
      <h2>Credentials</h2>
      <Descriptions
        entries={Object.entries(components.securitySchemes).map(
          ([name, { description = '' }]) => [name, description] as const,
        )}
      />
      <h2>Headers</h2>
      <Descriptions entries={[...headersOf(operations)]} />
      <h2>Types</h2>
      {Object.entries(components.schemas).map(([name, schema]) => (
        <section key={name}>
          <h3 id={name}>{name}</h3>
          <SchemaBody schema={schema} />
        </section>
      ))}
    </>
  );
}

function Descriptions({ entries }: { entries: (readonly [string, string])[] }): VNode {
  return (
    <dl class="members">
      {entries.map(([name, description]) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
          </dt>
          <dd>
            <Markdown text={description} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The description of each response header that has one, by name. */
function headersOf(operations: readonly { operation: OperationData }[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const { operation } of operations) {
    for (const response of Object.values(operation.responses)) {
      for (const [name, header] of Object.entries(resolve(response).headers ?? {})) {
        const { description } = resolve(header);
        if (description !== undefined) found.set(name, description);
      }
    }
  }
  return found;
}
