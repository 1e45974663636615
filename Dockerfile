# The bot for a server: `docker compose up -d`, or see docs/hosting.md. `.dockerignore` says what goes in.
ARG PYTHON=3.11

FROM python:${PYTHON}-slim-bookworm AS build
WORKDIR /src
RUN python -m venv --without-pip /venv
COPY requirements.txt ./
RUN python -m pip --python /venv/bin/python install --no-cache-dir --disable-pip-version-check \
    --only-binary :all: --require-hashes -r requirements.txt
COPY . ./
RUN python -m pip --python /venv/bin/python install --no-cache-dir --disable-pip-version-check \
    --no-deps --no-build-isolation .
RUN python -m pip --python /venv/bin/python uninstall --yes --quiet setuptools

FROM python:${PYTHON}-slim-bookworm
RUN useradd --uid 10001 --user-group --home-dir /data --no-create-home --shell /usr/sbin/nologin wordmoot \
    && install --directory --owner wordmoot --group wordmoot --mode 0700 /data
COPY --from=build /venv /venv
ENV PATH=/venv/bin:$PATH WORDMOOT_DATA=/data
USER 10001:10001
WORKDIR /data
VOLUME /data
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s --retries=3 CMD ["wordmoot", "health"]
ENTRYPOINT ["wordmoot"]
CMD ["run"]
